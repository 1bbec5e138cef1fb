package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlBlockDepth is the depth from which on values are written in braces.
const yamlBlockDepth = 8

// writeYAML prints the object that writeJSON prints, as YAML, piece by piece:
// all pieces together are one document.
func writeYAML(out *output, r Result, o Options) {
	object := func(members func(*Object)) *yaml.Node {
		obj := Object{b: []byte{'{'}, redact: o.KeyFormat == Redacted}
		members(&obj)
		return yamlNode(append(obj.b, '}'))
	}
	out.yaml(object(func(m *Object) {
		m.Text("schema", r.Schema())
		r.Head(m)
	}))
	out.b = append(out.b, "items:"...)
	none := true
	for item := range r.Items() {
		if none {
			out.line("")
			none = false
		}
		out.yaml(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{object(item.Members)}})
		if !out.more() {
			return
		}
	}
	if none {
		out.line(" []")
	}
	out.yaml(object(func(m *Object) { m.Object("summary", func() { r.Summary(m) }) }))
}

// yaml writes a node. The library escapes only what YAML forbids, so the rest
// of what cannot be seen is escaped here; it stands in double quotes alone.
func (o *output) yaml(n *yaml.Node) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		o.err = err
	}
	start := len(o.b)
	o.b = visibleQuoted(append(o.b, b.Bytes()...), start)
}

// yamlNode makes a node of JSON of our own making, which is valid. Numbers keep
// their text.
func yamlNode(b []byte) *yaml.Node {
	d := json.NewDecoder(bytes.NewReader(keepSurrogates(b)))
	d.UseNumber()
	return yamlValue(d, 0)
}

func yamlValue(d *json.Decoder, depth int) *yaml.Node {
	token, _ := d.Token()
	switch token := token.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if token == '[' {
			n.Kind = yaml.SequenceNode
		}
		if depth >= yamlBlockDepth {
			n.Style = yaml.FlowStyle
		}
		for d.More() {
			if token == '{' {
				name, _ := d.Token()
				n.Content = append(n.Content, yamlName(name.(string)))
			}
			n.Content = append(n.Content, yamlValue(d, depth+1))
		}
		_, _ = d.Token()
		return n
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: token}
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: string(yesNo(token))}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}
}

// yamlName is a field's name. The library quotes one that reads as something
// else in YAML 1.2, but not the booleans of 1.1.
func yamlName(name string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}
	switch name {
	case "yes", "no", "on", "off", "y", "n":
		n.Style = yaml.DoubleQuotedStyle
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// keepSurrogates makes lone surrogates, which YAML cannot hold, the text of
// their escapes.
func keepSurrogates(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\ud`)) {
		return b
	}
	escapes := regexp.MustCompile(`\\ud[89ab]..\\ud[c-f]..|\\ud[89a-f]..|\\.`)
	return escapes.ReplaceAllFunc(b, func(escape []byte) []byte {
		if len(escape) == len(`\ud800`) {
			return append([]byte{'\\'}, escape...)
		}
		return escape
	})
}
