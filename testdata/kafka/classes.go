package realkafka

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compileAgainst is the release whose classes the harness's own are compiled
// with; compiled once, they run on every later one.
const compileAgainst = "3.6.1"

//go:embed oracle probe
var sources embed.FS

// classes returns the class path of a folder of Java sources. They are compiled
// once into the user's cache directory, beside the folder's other files.
func classes(t testing.TB, folder string) string {
	t.Helper()
	tree, err := fs.Sub(sources, folder)
	if err != nil {
		t.Fatal(err)
	}
	var java []string
	hash := sha256.New()
	err = fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, path)
		fmt.Fprintf(hash, "%s\n%d\n%s", path, len(data), data)
		if strings.HasSuffix(path, ".java") {
			java = append(java, filepath.FromSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return cached(t, fmt.Sprintf("%s-%.4x", folder, hash.Sum(nil)), func(work string) error {
		if err := os.CopyFS(work, tree); err != nil {
			return err
		}
		compile := exec.Command("javac", append([]string{
			"--release", "17", "-cp", Jars(t, WorkerJars, compileAgainst),
		}, java...)...)
		compile.Dir = work
		if out, err := compile.CombinedOutput(); err != nil {
			return fmt.Errorf("javac: %w\n%s", err, out)
		}
		return nil
	})
}
