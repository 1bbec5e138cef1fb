package release

import "fmt"

// profile is a group of releases that judge alike; the names are the project's
// own and are printed nowhere.
type profile uint8

const (
	p0  profile = iota // up to 3.4: keys are not parsed while reading
	p1                 // 3.5.0, 3.5.1
	p2                 // 3.5.2
	p3                 // 3.6.0
	p4                 // 3.6.1
	p5                 // 3.6.2
	p6                 // 3.7.0
	p7                 // 3.7.1 to 4.0
	p8                 // 4.1 to 4.2.0
	p9                 // 4.2.1 to 4.3.1
	p10                // 4.4.0
)

// known is an executed release. jackson is the version it ships.
type known struct {
	major, minor, patch int
	profile             profile
	jackson             string
}

func (k *known) name() string { return fmt.Sprintf("%d.%d.%d", k.major, k.minor, k.patch) }

// table lists the releases whose classes were asked, oldest first.
var table = [...]known{
	{2, 3, 0, p0, "2.9.9"},
	{2, 4, 0, p0, "2.10.0"},
	{2, 6, 2, p0, "2.10.5.1"},
	{2, 8, 1, p0, "2.10.5.1"},
	{3, 0, 0, p0, "2.12.3"},
	{3, 3, 0, p0, "2.13.3"},
	{3, 5, 0, p1, "2.13.5"},
	{3, 5, 1, p1, "2.13.5"},
	{3, 5, 2, p2, "2.13.5"},
	{3, 6, 0, p3, "2.13.5"},
	{3, 6, 1, p4, "2.13.5"},
	{3, 6, 2, p5, "2.13.5"},
	{3, 7, 0, p6, "2.16.0"},
	{3, 7, 1, p7, "2.16.2"},
	{3, 8, 1, p7, "2.16.2"},
	{3, 9, 1, p7, "2.16.2"},
	{3, 9, 2, p7, "2.16.2"},
	{4, 0, 0, p7, "2.16.2"},
	{4, 1, 1, p8, "2.19.0"},
	{4, 2, 0, p8, "2.19.2"},
	{4, 2, 1, p9, "2.21.2"},
	{4, 3, 1, p9, "2.21.2"},
	{4, 4, 0, p10, "2.21.7"},
}

// standIn is a release without recorded vectors: the Jackson of its published
// dependencies and the known release with the same rules.
type standIn struct{ name, jackson, judgedAs string }

// standIns were found by the Jackson they ship; from 3.7 on nothing else
// differs. 3.7.2 and later were checked against the vectors once, by hand.
// 4.0.2 moved to a newer Jackson than 4.0.0 within its line.
var standIns = [...]standIn{
	{"2.3.1", "2.10.0", "2.4.0"},
	{"2.4.1", "2.10.0", "2.4.0"},
	{"2.5.0", "2.10.2", "2.6.2"},
	{"2.5.1", "2.10.2", "2.6.2"},
	{"2.6.0", "2.10.2", "2.6.2"},
	{"2.6.1", "2.10.2", "2.6.2"},
	{"2.7.0", "2.10.5.1", "2.8.1"},
	{"2.8.0", "2.10.5.1", "2.8.1"},
	{"3.7.2", "2.16.2", "3.7.1"},
	{"3.8.0", "2.16.2", "3.8.1"},
	{"3.9.0", "2.16.2", "3.9.1"},
	{"4.0.2", "2.18.6", "4.1.1"},
	{"4.1.0", "2.19.0", "4.1.1"},
	{"4.1.2", "2.19.4", "4.1.1"},
	{"4.2.2", "2.21.6", "4.2.1"},
	{"4.3.0", "2.21.2", "4.3.1"},
	{"4.3.2", "2.21.7", "4.4.0"},
}

func (k *known) rules() Rules {
	p := k.profile
	r := Rules{
		JudgesKeys:          p >= p1,
		ThrowsOnBadKey:      p == p1 || p == p3,
		SilentNullPartition: p == p5 || p >= p7,
		LeadingZeros:        p >= p3,
		Limits:              p >= p6,
		NameBytesExact:      p >= p9,
		StrictSurrogates:    p >= p9,
		LiteralsByRune:      p >= p10,
		EmptyIsNotJSON:      k.major == 2 && k.minor == 4,
		LowByteHexDigits:    k.major > 2 || k.minor > 4,
		TornPairs:           p < p10,
		Exponents:           ExponentsDecimalUnlessInfinite,
	}
	switch {
	case p >= p8:
		r.Exponents = ExponentsDecimalAlways
	case p >= p6:
		r.Exponents = ExponentsDoubleFallback
	case k.major == 2 && k.minor == 3:
		r.Exponents = ExponentsAny
	}
	return r
}

func newestOf(major, minor int) *known {
	for i := len(table) - 1; i >= 0; i-- {
		if table[i].major == major && table[i].minor == minor {
			return &table[i]
		}
	}
	return nil
}

// byName gives the known release of that name, or nil.
func byName(name string) *known {
	for i := range table {
		if table[i].name() == name {
			return &table[i]
		}
	}
	return nil
}

// nearest is the newest known release not newer than the version, or the
// oldest. Between 2.4 and 2.6 that is 2.6.2: the rule of 2.4.0 is its alone.
func nearest(major, minor, patch int) *known {
	at := &table[0]
	for i := range table {
		k := &table[i]
		if k.major < major || k.major == major && (k.minor < minor || k.minor == minor && k.patch <= patch) {
			at = k
		}
	}
	return at
}
