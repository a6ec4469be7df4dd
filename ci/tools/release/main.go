// Command release prepares the release of every module of this repository, and checks it as a
// module proxy would serve it. RELEASING.md describes how to use it.
//
//	ci/release VERSION    sets the versions that modules require of each other, checks the release
//	                      and prints the commands that publish it
//	ci/release -dry-run   checks a copy of the last commit as version v0.0.1-0.dry.run
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/zip"
)

// dryRun is the version of a dry run. No real version can be equal to it.
const dryRun = "v0.0.1-0.dry.run"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: ci/release VERSION, or ci/release -dry-run")
		os.Exit(2)
	}
	if err := release(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release does what the command says. The current folder is in the repository.
func release(version string, log io.Writer) error {
	root, err := output(".", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	dry := version == "-dry-run"
	if dry {
		version = dryRun
	} else if err := ready(root, version); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer removeAll(scratch)
	s := &staging{
		version: version, scratch: scratch, log: log,
		tree: filepath.Join(scratch, "tree"), proxy: filepath.Join(scratch, "proxy"),
	}
	if err := archive(root, "HEAD", s.tree); err != nil {
		return err
	}
	if s.modules, err = modulesOf(s.tree); err != nil {
		return err
	}
	if err := s.compareAPI(root); err != nil {
		return err
	}
	for _, m := range s.modules {
		if err := s.stage(m); err != nil {
			return fmt.Errorf("module %s: %w", m.path, err)
		}
	}
	if err := s.check(dry); err != nil {
		return err
	}
	if dry {
		return nil
	}
	if err := s.copyBack(root); err != nil {
		return err
	}
	fmt.Fprintf(log, "\n%s is ready. To publish it:\n\n\tgit commit -am 'Release %s'\n", version, version)
	var tags []string
	for _, m := range s.modules {
		if m.dir != "examples" { // which nobody imports
			tags = append(tags, m.tag(version))
		}
	}
	for _, tag := range tags {
		fmt.Fprintf(log, "\tgit tag %s\n", tag)
	}
	for _, tag := range tags { // the root module must be there before the others are fetched
		fmt.Fprintf(log, "\tgit push origin %s\n", tag)
	}
	return nil
}

// ready returns an error if the version cannot be released from the tree at root.
func ready(root, version string) error {
	if semver.Canonical(version) != version || semver.Build(version) != "" {
		return fmt.Errorf("%q is not a semantic version: use a version such as v0.1.0", version)
	}
	changes, err := output(root, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return fmt.Errorf("the tree has changes: commit or remove them first\n%s", changes)
	}
	tags, err := output(root, "git", "tag", "--list", version)
	if err != nil {
		return err
	}
	if tags != "" {
		return fmt.Errorf("the tag %s exists: choose a higher version", version)
	}
	last, err := lastTag(root)
	if err != nil {
		return err
	}
	if last != "" && semver.Compare(version, last) < 0 {
		return fmt.Errorf("%s is lower than the last release, %s: choose a higher version", version, last)
	}
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	heading := "## [" + strings.TrimPrefix(version, "v") + "]"
	if !strings.Contains("\n"+string(text), "\n"+heading) {
		return fmt.Errorf("CHANGELOG.md has no section for %s: add one that begins with %q", version, heading)
	}
	return nil
}

// lastTag returns the highest version tag of the root module, or "".
func lastTag(root string) (string, error) {
	list, err := output(root, "git", "tag", "--list", "v*")
	if err != nil {
		return "", err
	}
	tags := slices.DeleteFunc(strings.Fields(list), func(t string) bool { return !semver.IsValid(t) })
	semver.Sort(tags)
	return slices.Concat([]string{""}, tags)[len(tags)], nil
}

// A mod is a module of the repository.
type mod struct {
	path, dir string // the folder is relative to the root of the repository, with slashes
}

// tag returns the name of the tag that publishes a version of the module.
func (m mod) tag(version string) string {
	if m.dir == "." {
		return version
	}
	return m.dir + "/" + version
}

// modulesOf returns the modules that go.work lists, each after the modules that it requires.
func modulesOf(root string) ([]mod, error) {
	path := filepath.Join(root, "go.work")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(path, content, nil)
	if err != nil {
		return nil, err
	}
	files := map[string]*modfile.File{} // by the module's path
	modules := map[string]mod{}
	for _, use := range work.Use {
		file, err := readMod(filepath.Join(root, use.Path, "go.mod"))
		if err != nil {
			return nil, err
		}
		name := file.Module.Mod.Path
		files[name], modules[name] = file, mod{name, filepath.ToSlash(filepath.Clean(use.Path))}
	}
	var sorted []mod
	done := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if done[name] || files[name] == nil {
			return
		}
		done[name] = true
		for _, r := range files[name].Require {
			visit(r.Mod.Path)
		}
		sorted = append(sorted, modules[name])
	}
	for _, use := range work.Use {
		for name, m := range modules {
			if m.dir == filepath.ToSlash(filepath.Clean(use.Path)) {
				visit(name)
			}
		}
	}
	return sorted, nil
}

func readMod(path string) (*modfile.File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, content, nil)
}

// A staging is a copy of the tree, and a module proxy made from it.
type staging struct {
	version              string
	modules              []mod
	tree, proxy, scratch string
	log                  io.Writer
}

// environment returns the environment of go commands that must see what users will: no workspace,
// and the staged modules. Other modules come from the module cache of this machine, or else from
// the proxy that it uses. Staged modules must not enter that cache, because another commit may be
// staged later with the same version.
func (s *staging) environment(extra ...string) ([]string, error) {
	cache, err := output(".", "go", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	proxy, err := output(".", "go", "env", "GOPROXY")
	if err != nil {
		return nil, err
	}
	url := func(dir string) string { return "file://" + filepath.ToSlash(dir) }
	proxy = url(s.proxy) + "," + url(filepath.Join(cache, "cache", "download")) + "," + proxy
	env := append(os.Environ(), "GOWORK=off", "GOPROXY="+proxy, "GONOSUMDB="+s.modules[0].path, "GOFLAGS=-mod=mod",
		"GOPRIVATE=", "GONOPROXY=", "GOMODCACHE="+filepath.Join(s.scratch, "staging"))
	return append(env, extra...), nil
}

// stage sets the versions that the module requires of others, and adds it to the proxy.
func (s *staging) stage(m mod) error {
	if err := s.require(m, s.version); err != nil {
		return err
	}
	return s.pack(m, s.version)
}

// require sets the versions that the module requires of other modules of the repository.
func (s *staging) require(m mod, version string) error {
	dir := filepath.Join(s.tree, filepath.FromSlash(m.dir))
	path := filepath.Join(dir, "go.mod")
	file, err := readMod(path)
	if err != nil {
		return err
	}
	for _, r := range slices.Clone(file.Require) {
		if slices.ContainsFunc(s.modules, func(o mod) bool { return o.path == r.Mod.Path }) {
			if err := file.AddRequire(r.Mod.Path, version); err != nil {
				return err
			}
		}
	}
	content, err := file.Format()
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		return err
	}
	if err := dropSums(filepath.Join(dir, "go.sum"), s.modules[0].path); err != nil {
		return err
	}
	env, err := s.environment()
	if err != nil {
		return err
	}
	if err := s.run(dir, env, "go", "mod", "tidy"); err != nil {
		return fmt.Errorf("a requirement cannot be resolved: correct %s/go.mod: %w", m.dir, err)
	}
	return nil
}

// dropSums removes the sums of modules of the repository from a go.sum, which may be of another
// version, or of another state of this one.
func dropSums(path, prefix string) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(content)) {
		if name, _, _ := strings.Cut(line, " "); name != prefix && !strings.HasPrefix(name, prefix+"/") {
			kept.WriteString(line)
		}
	}
	return os.WriteFile(path, []byte(kept.String()), 0o666)
}

// pack adds a version of the module to the proxy. It returns an error that names every file that
// keeps a module from being packed: a tag cannot be repaired once it is public.
func (s *staging) pack(m mod, version string) error {
	dir := filepath.Join(s.tree, filepath.FromSlash(m.dir))
	files, err := zip.CheckDir(dir)
	if err == nil {
		err = files.Err()
	}
	if err != nil {
		return err
	}
	escaped, err := module.EscapePath(m.path)
	if err != nil {
		return err
	}
	target := filepath.Join(s.proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(target, 0o777); err != nil {
		return err
	}
	var archived bytes.Buffer
	if err := zip.CreateFromDir(&archived, module.Version{Path: m.path, Version: version}, dir); err != nil {
		return err
	}
	gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	list, err := os.ReadFile(filepath.Join(target, "list"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	info := fmt.Sprintf(`{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version)
	for name, content := range map[string][]byte{
		version + ".zip": archived.Bytes(), version + ".mod": gomod, version + ".info": []byte(info),
		"list": append(list, version+"\n"...),
	} {
		if err := os.WriteFile(filepath.Join(target, name), content, 0o666); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.log, "staged %s@%s, %d bytes\n", m.path, version, archived.Len())
	return nil
}

// copyBack copies the files that name versions from the staged tree to the repository.
func (s *staging) copyBack(root string) error {
	if err := setReplaced(filepath.Join(s.tree, "go.work"), s.modules, s.version); err != nil {
		return err
	}
	names := []string{"go.work"}
	for _, m := range s.modules {
		names = append(names, m.dir+"/go.mod", m.dir+"/go.sum")
	}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(s.tree, filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// setReplaced sets the versions that a go.work replaces by this tree. It keeps the comments.
func setReplaced(path string, modules []mod, version string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, m := range modules {
		line := regexp.MustCompile(`(?m)(\s` + regexp.QuoteMeta(m.path) + `) v\S+ =>`)
		content = line.ReplaceAll(content, []byte("${1} "+version+" =>"))
	}
	return os.WriteFile(path, content, 0o666)
}

// archive copies a commit of the repository at root to a new folder.
func archive(root, commit, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	packed := filepath.Join(dir, "archive.tar")
	if _, err := output(root, "git", "archive", "--output="+packed, commit); err != nil {
		return err
	}
	if _, err := output(dir, "tar", "-xf", packed); err != nil {
		return err
	}
	return os.Remove(packed)
}

// run runs a command and reports how long it took. An error has what the command printed.
func (s *staging) run(dir string, env []string, name string, args ...string) error {
	start := time.Now()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	command := filepath.Base(name) + " " + strings.Join(args, " ")
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, out)
	}
	fmt.Fprintf(s.log, "%6.1f s  %s\n", time.Since(start).Seconds(), command)
	return nil
}

// output returns what a command prints, without the last newline.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &problems)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// removeAll removes a folder that may hold a module cache, whose files are read-only.
func removeAll(dir string) {
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(path, 0o777)
		}
		return nil
	})
	os.RemoveAll(dir)
}
