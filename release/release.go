package release

import (
	"fmt"
	"strconv"
	"strings"
)

// Default is the release that keys are judged as when none is asked for.
const Default = "3.6.1"

// Release is a Kafka version as somebody asked for it, with the rules it is
// judged by. It prints as the version it is judged as.
type Release struct {
	// Asked is the text given to Parse.
	Asked string
	// JudgedAs is the executed Apache Kafka release whose rules apply.
	JudgedAs string
	// Exact is false where JudgedAs stands in for what was asked.
	Exact bool
	// Why says, where Exact is false, how JudgedAs was found and which patch
	// releases differ. It is one sentence without a full stop, or empty.
	Why string
	// Rules is what the release does.
	Rules Rules
}

func (r Release) String() string { return r.JudgedAs }

// Parse resolves a version such as "3.6.1", "3.6", "v3.6.1" or "7.6.0-ccs".
//
// A version that was never executed takes the rules of the nearest release:
// the one that ships the same Jackson where that is known, else the newest
// not newer than it, and Exact is false. Text that is no version is an error.
func Parse(s string) (Release, error) {
	v, err := parseVersion(s)
	if err != nil {
		return Release{}, err
	}
	return v.resolve(), nil
}

// MustParse is Parse for versions known to be good.
func MustParse(s string) Release {
	r, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return r
}

// version is a parsed version text. patch is -1 where only a line was named.
type version struct {
	asked               string
	major, minor, patch int
	vendor              string // what follows the numbers, "" for none
}

func parseVersion(s string) (version, error) {
	v := version{asked: s, patch: -1}
	bad := fmt.Errorf("%q is no Kafka version; examples: 3.6.1, 3.6, 7.6.0-ccs", s)
	rest := strings.TrimPrefix(s, "v")
	for i, part := range []*int{&v.major, &v.minor, &v.patch} {
		if i > 0 {
			after, ok := strings.CutPrefix(rest, ".")
			if !ok {
				break
			}
			rest = after
		}
		end := 0
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(rest[:end])
		if err != nil || n > 9999 {
			return v, bad
		}
		*part, rest = n, rest[end:]
		if i == 0 && !strings.HasPrefix(rest, ".") {
			return v, bad
		}
	}
	if rest != "" && !strings.ContainsRune("-.+_", rune(rest[0])) || !plainSuffix(rest) {
		return v, bad
	}
	v.vendor = strings.TrimLeft(rest, "-.+_")
	if rest != "" && v.vendor == "" {
		return v, bad
	}
	return v, nil
}

// plainSuffix keeps hostile bytes out of what is printed as a version.
func plainSuffix(s string) bool {
	for _, c := range []byte(s) {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-.+_", c) >= 0
		if !ok {
			return false
		}
	}
	return len(s) <= 64
}

func (v version) resolve() Release {
	r := Release{Asked: v.asked}
	line := fmt.Sprintf("%d.%d", v.major, v.minor)
	switch {
	case v.major == 7 && v.minor <= 9, v.major == 8 && v.minor <= 1:
		// Confluent Platform 7.x carries Apache Kafka 3.x, 8.x carries 4.x.
		apache := version{asked: v.asked, major: v.major - 4, minor: v.minor, patch: -1}
		r = apache.resolve()
		r.Exact = false
		r.Why = fmt.Sprintf("Confluent Platform %s is built on Apache Kafka %d.%d with fixes of its own; %s", line, apache.major, apache.minor, r.Why)
		return r
	case v.patch < 0:
		k := newestOf(v.major, v.minor)
		if k == nil {
			k = nearest(v.major, v.minor, 1<<30)
		}
		r.JudgedAs, r.Rules = k.name(), k.rules()
		r.Why = line + " taken as " + r.JudgedAs
		if k.major == v.major && k.minor == v.minor {
			r.Why += differing(k)
		}
		return r
	}
	asked := fmt.Sprintf("%s.%d", line, v.patch)
	k, ships := nearest(v.major, v.minor, v.patch), ""
	for _, s := range standIns {
		if s.name == asked {
			k, ships = byName(s.judgedAs), s.jackson
		}
	}
	r.JudgedAs, r.Rules = k.name(), k.rules()
	r.Exact = v.vendor == "" && asked == r.JudgedAs
	switch {
	case r.Exact:
	case v.vendor != "":
		r.Why = fmt.Sprintf("a vendor build of %s, judged as Apache Kafka %s", asked, r.JudgedAs)
	case ships != "":
		r.Why = fmt.Sprintf("no vectors are recorded for %s, which ships Jackson %s; %s (Jackson %s) has the nearest rules", asked, ships, r.JudgedAs, k.jackson)
	default:
		r.Why = fmt.Sprintf("no vectors are recorded for %s; %s has the nearest rules", asked, r.JudgedAs)
	}
	return r
}

// differing names the patch releases of k's line with other rules.
func differing(k *known) string {
	var others []string
	for i := range table {
		o := &table[i]
		if o.major == k.major && o.minor == k.minor && o.rules() != k.rules() {
			others = append(others, o.name())
		}
	}
	for _, s := range standIns {
		if strings.HasPrefix(s.name, fmt.Sprintf("%d.%d.", k.major, k.minor)) && byName(s.judgedAs).rules() != k.rules() {
			others = append(others, s.name)
		}
	}
	if len(others) == 0 {
		return ", its newest patch release with recorded vectors"
	}
	return ", its newest patch release with recorded vectors; differing: " + strings.Join(others, ", ")
}

// Known lists the releases with recorded vectors, oldest first.
func Known() []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].name()
	}
	return names
}
