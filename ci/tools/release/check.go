package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"
)

// check installs the command and builds programs of users from the staged modules, outside the
// repository and with an empty module cache. A dry run does not compile Apache Beam, which takes
// longer than everything else.
func (s *staging) check(dry bool) error {
	library := s.modules[0].path
	cache := filepath.Join(s.scratch, "modcache")
	bin := filepath.Join(s.scratch, "bin")
	env, err := s.environment("GOMODCACHE="+cache, "GOBIN="+bin)
	if err != nil {
		return err
	}
	empty := filepath.Join(s.scratch, "empty")
	if err := os.MkdirAll(empty, 0o777); err != nil {
		return err
	}
	if err := s.run(empty, env, "go", "install", library+"/cmd/simdrank@"+s.version); err != nil {
		return err
	}
	if err := s.run(empty, env, filepath.Join(bin, "simdrank"), "demo"); err != nil {
		return err
	}

	user := filepath.Join(s.scratch, "user")
	programs, err := writePrograms(s.tree, user)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.log, "%d programs of the documentation:\n", programs)
	commands := [][]string{
		{"mod", "init", "example.com/user"},
		{"get", library + "@" + s.version, library + "/parquet@" + s.version},
		{"mod", "tidy"},
		{"mod", "verify"},
		{"list", "-m", "all"},
		{"vet", "./..."},
		{"build", "-o", os.DevNull, "./..."},
	}
	for _, c := range commands {
		if err := s.run(user, env, "go", c...); err != nil {
			return err
		}
	}
	if err := s.checkBeam(env, "beam", s.version, dry); err != nil {
		return err
	}
	return s.checkSkew(env, dry)
}

// checkBeam builds a program that imports beam, with a version of the library.
func (s *staging) checkBeam(env []string, name, version string, dry bool) error {
	library := s.modules[0].path
	dir := filepath.Join(s.scratch, name)
	source := fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", library+"/beam")
	if err := write(filepath.Join(dir, "main.go"), source); err != nil {
		return err
	}
	build := []string{"build", "-o", os.DevNull, "."}
	if dry {
		build = []string{"list", "-deps", "."} // fails if a package cannot be found
	}
	for _, c := range [][]string{
		{"mod", "init", "example.com/user"}, {"get", library + "@" + version, library + "/beam@" + s.version}, build,
	} {
		if err := s.run(dir, env, "go", c...); err != nil {
			return err
		}
	}
	return nil
}

// checkSkew builds a program with the next patch release of the library and this release of the
// modules that require it. They share internal packages, which a patch release must not break.
func (s *staging) checkSkew(env []string, dry bool) error {
	next := nextPatch(s.version)
	if err := s.pack(s.modules[0], next); err != nil {
		return err
	}
	library := s.modules[0].path
	dir := filepath.Join(s.scratch, "skew")
	source := fmt.Sprintf("package main\n\nimport (\n\t_ %q\n\t_ %q\n)\n\nfunc main() {}\n", library+"/parquet",
		library+"/rank/model")
	if err := write(filepath.Join(dir, "main.go"), source); err != nil {
		return err
	}
	for _, c := range [][]string{
		{"mod", "init", "example.com/user"},
		{"get", library + "@" + next, library + "/parquet@" + s.version},
		{"build", "-o", os.DevNull, "."},
	} {
		if err := s.run(dir, env, "go", c...); err != nil {
			return fmt.Errorf("%s with parquet %s: %w", next, s.version, err)
		}
	}
	if err := s.checkBeam(env, "skew-beam", next, dry); err != nil {
		return fmt.Errorf("%s with beam %s: %w", next, s.version, err)
	}
	return nil
}

// nextPatch returns the version after v.
func nextPatch(v string) string {
	core := strings.TrimSuffix(v, semver.Prerelease(v))
	at := strings.LastIndex(core, ".") + 1
	var patch int
	fmt.Sscan(core[at:], &patch)
	return fmt.Sprint(core[:at], patch+1)
}

// fenced matches a Go program on a page of the documentation.
var fenced = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```$")

// writePrograms writes each program of the documentation into a folder of its own, and returns how
// many there are.
func writePrograms(tree, dir string) (n int, err error) {
	pages, err := filepath.Glob(filepath.Join(tree, "docs", "*", "*.md"))
	if err != nil {
		return 0, err
	}
	for _, page := range append(pages, filepath.Join(tree, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			return n, err
		}
		for _, m := range fenced.FindAllSubmatch(text, -1) {
			if strings.Contains(string(m[1]), "simdrank/beam") {
				continue // checkBeam imports it
			}
			n++
			name := fmt.Sprintf("%s%d", strings.TrimSuffix(filepath.Base(page), ".md"), n)
			if err := write(filepath.Join(dir, name, "main.go"), string(m[1])); err != nil {
				return n, err
			}
		}
	}
	if n == 0 {
		return 0, errors.New("the documentation has no Go program")
	}
	return n, nil
}

// write writes a file and makes its folder.
func write(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o666)
}
