package cmd

import (
	"iter"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"koffsets/release"
	"koffsets/report"
)

type versionOptions struct{ output output }

func newVersionCmd(a *app) *cobra.Command {
	o := &versionOptions{}
	c := &cobra.Command{
		Use:   "version",
		Short: "Prints the version, and the Kafka releases it knows",
		Args:  atMost(0),
		RunE:  func(*cobra.Command, []string) error { return runVersion(a, o) },
	}
	o.output.register(c)
	return c
}

func runVersion(a *app, o *versionOptions) error {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	return o.output.print(a, newVersionResult(build))
}

// versionResult is what this binary is: its version, and as items the Kafka
// releases that it judges by recorded facts.
type versionResult struct {
	version, revision string
	releases          []string
}

func newVersionResult(build *debug.BuildInfo) *versionResult {
	v := &versionResult{version: build.Main.Version, releases: release.Known()}
	if v.version == "" {
		v.version = "(devel)"
	}
	for _, s := range build.Settings {
		if s.Key == "vcs.revision" {
			v.revision = s.Value
		}
	}
	return v
}

func (v *versionResult) Schema() string { return "koffsets.version/v1" }

func (v *versionResult) Head(o *report.Object) {
	o.Text("version", v.version)
	o.TextOrNull("revision", v.revision)
	o.Text("go", runtime.Version())
	o.Text("platform", runtime.GOOS+"/"+runtime.GOARCH)
	o.Text("default_release", release.Default)
}

// releaseItem is a Kafka release that is known exactly.
type releaseItem string

// Members implements [report.Item].
func (r releaseItem) Members(o *report.Object) { o.Text("release", string(r)) }

func (v *versionResult) Items() iter.Seq[report.Item] {
	return func(yield func(report.Item) bool) {
		for _, r := range v.releases {
			if !yield(releaseItem(r)) {
				return
			}
		}
	}
}

func (v *versionResult) Summary(o *report.Object) { o.Int("releases", int64(len(v.releases))) }

func (v *versionResult) Names() iter.Seq[report.Safe] {
	return func(yield func(report.Safe) bool) { yield(safe(v.version)) }
}

func (v *versionResult) Document(f report.Format, _ report.Options) *report.Document {
	if f == report.TSV {
		return &report.Document{Table: &report.Rows{
			Columns: []report.Column{{Name: "release"}},
			Rows: func(yield func([]report.Span) bool) {
				for _, r := range v.releases {
					if !yield([]report.Span{{Text: safe(r)}}) {
						return
					}
				}
			},
		}}
	}
	line := "koffsets " + v.version
	if v.revision != "" {
		line += " (" + v.revision[:min(len(v.revision), 12)] + ")"
	}
	known := "knows Kafka " + v.releases[0] + " to " + v.releases[len(v.releases)-1] + ", judges as " + release.Default + " unless told"
	return &report.Document{Facts: []report.Line{
		{{Text: safe(line + " · " + runtime.Version() + " · " + runtime.GOOS + "/" + runtime.GOARCH)}},
		{{Text: safe(known)}},
	}}
}

// safe is text for a screen.
func safe(s string) report.Safe { return report.Safe(report.Escape(s)) }
