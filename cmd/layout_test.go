package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which folders of this module each folder may import. What is not
// here is not allowed; a/... is all below a.
var arrows = map[string][]string{
	".":                      {"cmd"},
	"cmd":                    {"release", "decode", "offsetstore", "offsetstore/...", "repair", "worker", "worker/...", "report", "docs"},
	"release":                {},
	"decode":                 {"release"},
	"offsetstore":            {"decode", "release"},
	"offsetstore/kafka":      {"offsetstore", "decode", "release"},
	"offsetstore/segment":    {"offsetstore", "decode", "release"},
	"offsetstore/dump":       {"offsetstore", "decode", "release"},
	"offsetstore/standalone": {"offsetstore", "decode", "release"},
	"offsetstore/connect":    {"offsetstore", "decode", "release"},
	"offsetstore/sandbox":    {"offsetstore", "offsetstore/dump"},
	"repair":                 {"offsetstore", "decode", "release"},
	"worker":                 {"release"},
	"worker/rebalance":       {"worker", "release"},
	"worker/retry":           {"worker", "release"},
	"worker/replay":          {"worker", "release", "decode", "offsetstore"},
	"report":                 {"release", "decode", "offsetstore", "repair", "worker", "worker/..."},
	"docs":                   {},
}

// modules says which folders may import a module of others, tests aside.
var modules = map[string][]string{
	"github.com/twmb/franz-go":  {"offsetstore/..."},
	"github.com/olekukonko/":    {"report"},
	"github.com/charmbracelet/": {"report"},
	"github.com/muesli/termenv": {"report"},
	"go.yaml.in/yaml/v3":        {"report"},
	"github.com/spf13/cobra":    {"cmd"},
	"github.com/spf13/pflag":    {"cmd"},
	"golang.org/x/term":         {"cmd"},
	"math/rand":                 {"cmd"},
	"html/template":             {},
	"text/template":             {},
	"log":                       {},
	"log/slog":                  {},
	"os/signal":                 {"cmd"},
}

func TestImportsFollowTheArrows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(file))
		seen[folder] = true
		allowed, known := arrows[folder]
		if !known {
			t.Errorf("%s: the folder %s is not in the table of arrows", file, folder)
			continue
		}
		isTest := strings.HasSuffix(file, "_test.go")
		for _, path := range imports(t, file) {
			if own, ok := strings.CutPrefix(path, "koffsets/"); ok {
				if !isTest && !within(own, allowed) {
					t.Errorf("%s imports %s: no arrow leads from %s to it", file, path, folder)
				}
				continue
			}
			if !isTest && !external(path, folder) {
				t.Errorf("%s imports %s, which is not for %s", file, path, folder)
			}
		}
	}
	for _, must := range []string{".", "cmd", "release", "decode", "offsetstore", "report"} {
		if !seen[must] {
			t.Errorf("no Go file was looked at in %s", must)
		}
	}
}

// reserved is what cmd alone may touch: streams, environment, clock, the exit.
var reserved = map[string][]string{
	"os":   {"Exit", "Getenv", "LookupEnv", "Environ", "Stdin", "Stdout", "Stderr"},
	"fmt":  {"Print", "Printf", "Println"},
	"time": {"Now", "Since", "Until", "Sleep"},
}

// TestCobraTemplatesStayUnused: one reachable call of text/template keeps the
// linker from dropping the methods that nobody calls, which costs megabytes.
func TestCobraTemplatesStayUnused(t *testing.T) {
	t.Parallel()
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []string{".SetUsageTemplate(", ".SetHelpTemplate(", ".SetVersionTemplate("} {
			if strings.Contains(string(source), call) {
				t.Errorf("%s calls %s", file, call)
			}
		}
	}
}

func TestNothingBelowTouchesTheWorld(t *testing.T) {
	t.Parallel()
	for _, file := range goFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(file))
		if folder == "." || folder == "cmd" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join("..", file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok && slices.Contains(reserved[pkg.Name], s.Sel.Name) {
					t.Errorf("%s uses %s.%s, which only cmd may", fset.Position(n.Pos()), pkg.Name, s.Sel.Name)
				}
			}
			return true
		})
	}
}

// external reports whether a folder may import a package from outside.
func external(path, folder string) bool {
	for prefix, folders := range modules {
		if path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/") {
			return within(folder, folders)
		}
	}
	standard := !strings.Contains(strings.SplitN(path, "/", 2)[0], ".")
	return standard
}

// within reports whether a folder is in a list; "a/..." is all below a.
func within(folder string, list []string) bool {
	return slices.ContainsFunc(list, func(l string) bool {
		tree, whole := strings.CutSuffix(l, "/...")
		return folder == l || whole && strings.HasPrefix(folder, tree+"/")
	})
}

// goFiles are the Go files of this module, relative to its root.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, noModule := fs.Stat(root, filepath.ToSlash(filepath.Join(path, "go.mod")))
			if path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || noModule == nil) {
				return fs.SkipDir
			}
		} else if strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func imports(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}
