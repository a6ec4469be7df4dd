package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes a git repository with one commit of the files.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	git(t, root, "init", "-q")
	commit(t, root, files)
	return root
}

// commit writes files and commits them.
func commit(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if err := write(filepath.Join(root, filepath.FromSlash(name)), content); err != nil {
			t.Fatal(err)
		}
	}
	git(t, root, "add", "-A")
	git(t, root, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a")
}

func git(t *testing.T, root string, args ...string) {
	t.Helper()
	if _, err := output(root, "git", args...); err != nil {
		t.Fatal(err)
	}
}

// matches reports whether an error contains the text, or is nil if the text is empty.
func matches(err error, text string) bool {
	return (err == nil) == (text == "") && (err == nil || strings.Contains(filepath.ToSlash(err.Error()), text))
}

func TestReady(t *testing.T) {
	root := repository(t, map[string]string{"CHANGELOG.md": "# Changelog\n\n## [0.2.0] - 2026-12-01\n\n## [0.1.0]\n"})
	git(t, root, "tag", "v0.1.0")
	for version, want := range map[string]string{
		"v0.2.0":   "",
		"0.2.0":    `"0.2.0" is not a semantic version`,
		"v0.2":     `"v0.2" is not a semantic version`,
		"v0.2.0+a": `"v0.2.0+a" is not a semantic version`,
		"v0.1.0":   "the tag v0.1.0 exists",
		"v0.0.9":   "v0.0.9 is lower than the last release, v0.1.0",
		"v0.3.0":   `CHANGELOG.md has no section for v0.3.0: add one that begins with "## [0.3.0]"`,
	} {
		t.Run(version, func(t *testing.T) {
			if err := ready(root, version); !matches(err, want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(root, "a"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := ready(root, "v0.2.0"); !matches(err, "the tree has changes: commit or remove them first\n?? a") {
		t.Error(err)
	}
}

func TestModulesOf(t *testing.T) {
	root := repository(t, map[string]string{
		"go.work":      "go 1.26.0\n\nuse (\n\t./cmd/c\n\t./p\n\t.\n)\n",
		"go.mod":       "module example.com/m\n",
		"p/go.mod":     "module example.com/m/p\n\nrequire example.com/m v0.1.0\n",
		"cmd/c/go.mod": "module example.com/m/cmd/c\n\nrequire example.com/m/p v0.1.0\n",
	})
	modules, err := modulesOf(root)
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, m := range modules {
		tags = append(tags, m.tag("v0.1.0"))
	}
	if got := strings.Join(tags, " "); got != "v0.1.0 p/v0.1.0 cmd/c/v0.1.0" {
		t.Error(got)
	}
}

func TestPack(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"valid", "a/b.go", ""},
		{"name of a Windows device", "testdata/nul", "testdata/nul"},
		{"names that differ in case only", "A/b.go", "case-insensitive"},
		{"character", "testdata/a:b", "testdata/a:b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := repository(t, map[string]string{
				"go.mod": "module example.com/m\n", "a/b.go": "package b\n", c.file: "x",
			})
			s := &staging{tree: root, proxy: t.TempDir(), log: io.Discard}
			if err := s.pack(mod{"example.com/m", "."}, "v0.1.0"); !matches(err, c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A module that requires a module that is neither staged nor in the module cache.
func TestUnresolved(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	root := repository(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n\nrequire example.com/m/missing v0.1.0\n",
		"a.go":   "package m\n\nimport _ \"example.com/m/missing\"\n",
	})
	m := mod{"example.com/m", "."}
	s := &staging{version: "v0.1.0", modules: []mod{m}, tree: root, proxy: t.TempDir(), scratch: t.TempDir(),
		log: io.Discard}
	err := s.stage(m)
	if !matches(err, "a requirement cannot be resolved: correct ./go.mod: go mod tidy: exit status 1\n") ||
		!strings.Contains(err.Error(), "example.com/m/missing") {
		t.Error(err)
	}
}

func TestSetReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "go.work")
	const before = "go 1.26.0\n\nuse .\n\nreplace (\n\texample.com/m v0.1.0 => ./\n\texample.com/other v0.1.0 => ./x\n)\n"
	if err := write(path, before); err != nil {
		t.Fatal(err)
	}
	if err := setReplaced(path, []mod{{"example.com/m", "."}}, "v0.2.0"); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"example.com/m v0.2.0 => ./", "example.com/other v0.1.0 => ./x"} {
		if !strings.Contains(string(after), want) {
			t.Errorf("no %q in\n%s", want, after)
		}
	}
	if strings.Contains(string(after), "example.com/m v0.1.0") {
		t.Errorf("the old version is in\n%s", after)
	}
}

func TestDropSums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "go.sum")
	const text = "example.com/m v0.1.0 h1:a\nexample.com/m/p v0.1.0/go.mod h1:b\nexample.com/mm v0.1.0 h1:c\n"
	if err := write(path, text); err != nil {
		t.Fatal(err)
	}
	if err := dropSums(path, "example.com/m"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "example.com/mm v0.1.0 h1:c\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCompareAPI(t *testing.T) {
	root := repository(t, map[string]string{
		"go.work": "go 1.26.0\n\nuse .\n", "go.mod": "module example.com/m\n\ngo 1.26.0\n",
		"a.go":          "package m\n\nfunc F() {}\n\nfunc G() {}\n",
		"internal/a.go": "package internal\n\nfunc H() {}\n",
	})
	git(t, root, "tag", "v0.1.0")
	commit(t, root, map[string]string{"a.go": "package m\n\nfunc F() {}\n", "internal/a.go": "package internal\n"})
	for version, want := range map[string]string{
		"v0.1.1": "v0.1.1 changes the API of v0.1.0 incompatibly: release a higher version, or restore:\n- G: removed",
		"v0.2.0": "",
	} {
		t.Run(version, func(t *testing.T) {
			var log strings.Builder
			s := &staging{
				version: version, modules: []mod{{"example.com/m", "."}}, tree: root, scratch: t.TempDir(), log: &log,
			}
			if err := s.compareAPI(root); !matches(err, want) {
				t.Errorf("%v, want %q", err, want)
			}
			for _, want := range []string{"1 packages with 1 exported names", "G: removed"} {
				if !strings.Contains(log.String(), want) {
					t.Errorf("no %q in %s", want, &log)
				}
			}
		})
	}
}

func TestNextPatch(t *testing.T) {
	for v, want := range map[string]string{"v0.1.0": "v0.1.1", "v1.2.9": "v1.2.10", dryRun: "v0.0.2"} {
		t.Run(v, func(t *testing.T) {
			if got := nextPatch(v); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
