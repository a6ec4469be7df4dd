//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The possible outcomes of a mutant.
type outcome int

const (
	survived outcome = iota
	caught
	endless   // caught by a time limit
	notBuilds // it does not compile, or to the same program
	known     // listed as equivalent and not run
)

// A runner builds and tests mutants of the tree at root. It never writes to the tree.
type runner struct {
	root, scratch string
	serial        atomicCount
	times         sync.Map // of a stage without a mutation: func() (time.Duration, error)
	prints        sync.Map // of a package's tests without a mutation: func() (string, error)
}

// A stage is a selection of tests of one package on one tier.
type stage struct {
	tier     *tier
	pkg, run string
	short    bool
}

// stages returns the tests of a mutation in the order of execution. Short tests run first, because
// they catch most mutants. On an emulated tier, only short tests run.
func (m *mutation) stages(root string) (list []stage) {
	first := m.family.first
	if first == "" {
		first = ownTests(filepath.Join(root, m.path))
	}
	for _, pkg := range m.family.packages {
		if first != "" && (m.family.first != "" || filepath.Clean(pkg) == filepath.Dir(m.path)) {
			list = append(list, stage{m.tier, pkg, first, true})
		}
	}
	for _, short := range []bool{true, false} {
		for _, pkg := range m.family.packages {
			if short || len(m.tier.run) == 0 {
				list = append(list, stage{m.tier, pkg, ".", short})
			}
		}
	}
	return list
}

var aTest = regexp.MustCompile(`(?m)^func (Test\w+)\(t `)

// ownTests selects the tests of a Go file: for a_b.go, the tests in a_b_test.go or else in
// a_test.go. It returns "" if there are none.
func ownTests(path string) string {
	stem, isGo := strings.CutSuffix(path, ".go")
	for isGo && len(stem) > len(filepath.Dir(path)) {
		if source, err := os.ReadFile(stem + "_test.go"); err == nil {
			var names []string
			for _, m := range aTest.FindAllStringSubmatch(string(source), -1) {
				names = append(names, m[1])
			}
			if len(names) > 0 {
				return "^(" + strings.Join(names, "|") + ")$"
			}
		}
		stem = stem[:max(strings.LastIndexByte(stem, '_'), 0)]
	}
	return ""
}

// try builds a mutant and runs its tests until one fails. It returns an error if the tests are not
// reliable.
func (r *runner) try(ctx context.Context, m *mutation) (outcome, error) {
	dir := filepath.Join(r.scratch, fmt.Sprint(r.serial.next()))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	overlay, err := r.overlay(m, dir)
	if err != nil {
		return 0, err
	}
	built := map[string]bool{}
	for _, s := range m.stages(r.root) {
		binary := filepath.Join(dir, filepath.Base(s.pkg)+".test")
		if !built[s.pkg] {
			if err := r.build(ctx, s, binary, "-overlay", overlay); exitError(err) != nil && ctx.Err() == nil {
				return notBuilds, nil
			} else if err != nil {
				return 0, err
			}
			built[s.pkg] = true
			if s.pkg == "./"+filepath.ToSlash(filepath.Dir(m.path)) {
				if same, err := r.same(ctx, s, binary); same || err != nil {
					return notBuilds, err
				}
			}
		}
		usual, err := r.usual(ctx, s)
		if err != nil {
			return 0, err
		}
		_, err = r.test(ctx, s, binary, usual)
		switch exit := exitError(err); {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return endless, nil
		case exit != nil && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
			return endless, nil // it exceeded its processor time
		case err != nil:
			return caught, nil
		}
	}
	return survived, nil
}

// exitError returns err if it is the failure of a program, and nil otherwise.
func exitError(err error) *exec.ExitError {
	var exit *exec.ExitError
	errors.As(err, &exit)
	return exit
}

// usual returns the processor time of a stage without a mutation. It returns an error if the stage
// fails.
func (r *runner) usual(ctx context.Context, s stage) (time.Duration, error) {
	key := fmt.Sprint(s.tier.name, s.pkg, s.run, s.short)
	f, _ := r.times.LoadOrStore(key, sync.OnceValues(func() (time.Duration, error) {
		if _, err := r.original(ctx, s); err != nil {
			return 0, err
		}
		took, err := r.test(ctx, s, r.plain(s), 5*time.Minute)
		if err != nil {
			return 0, fmt.Errorf("the tests of %s fail on %s without a mutation: %w", s.pkg, s.tier.name, err)
		}
		return took, nil
	}))
	return f.(func() (time.Duration, error))()
}

// original builds the tests of a stage without a mutation once, and returns the program's
// fingerprint.
func (r *runner) original(ctx context.Context, s stage) (string, error) {
	f, _ := r.prints.LoadOrStore(fmt.Sprint(s.tier.arch, s.pkg), sync.OnceValues(func() (string, error) {
		if err := r.build(ctx, s, r.plain(s)); err != nil {
			return "", err
		}
		return fingerprint(r.plain(s))
	}))
	return f.(func() (string, error))()
}

// same reports whether a mutant's program equals the original. This happens if a macro does not use
// the changed code, or if the compiler removes or normalizes it.
func (r *runner) same(ctx context.Context, s stage, binary string) (bool, error) {
	want, err := r.original(ctx, s)
	if err != nil {
		return false, err
	}
	have, err := fingerprint(binary)
	return have == want, err
}

// fingerprint returns a hash of the code and data of a program, without its line tables.
func fingerprint(binary string) (string, error) {
	f, err := elf.Open(binary)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	for _, name := range []string{".text", ".rodata", ".noptrdata", ".data"} {
		if section := f.Section(name); section != nil {
			if _, err := io.Copy(h, section.Open()); err != nil {
				return "", err
			}
		}
	}
	return string(h.Sum(nil)), nil
}

// plain returns the path of a stage's test program without a mutation.
func (r *runner) plain(s stage) string {
	return filepath.Join(r.scratch, s.tier.arch+"-"+filepath.Base(s.pkg)+".test")
}

// overlay writes the mutated file, and the overlay file for go build.
func (r *runner) overlay(m *mutation, dir string) (string, error) {
	path := filepath.Join(r.root, m.path)
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(mutated, []byte(string(source[:m.start])+m.text+string(source[m.end:])), 0o644); err != nil {
		return "", err
	}
	replace := map[string]string{path: mutated}
	// an overlay does not apply to included headers: change the include line
	if strings.HasSuffix(path, ".h") {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.s"))
		if err != nil {
			return "", err
		}
		for _, f := range files {
			source, err := os.ReadFile(f)
			if err != nil {
				return "", err
			}
			copied := filepath.Join(dir, filepath.Base(f))
			text := strings.ReplaceAll(string(source), `#include "`+filepath.Base(path)+`"`, `#include "`+mutated+`"`)
			if err := os.WriteFile(copied, []byte(text), 0o644); err != nil {
				return "", err
			}
			replace[f] = copied
		}
	}
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, raw, 0o644)
}

// command returns a program that ends with the context, together with its child processes.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

// build builds the tests of a stage.
func (r *runner) build(ctx context.Context, s stage, binary string, args ...string) error {
	cmd := command(ctx, "go", append(append([]string{"test", "-c", "-ldflags=-s -w", "-o", binary}, args...), s.pkg)...)
	cmd.Dir = r.root
	// garbage collection is a third of the compiler's time
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+s.tier.arch, "CGO_ENABLED=0", "GOGC=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c %s: %w\n%s", s.pkg, err, out)
	}
	return nil
}

// test runs a stage with the given usual processor time, and returns the time that it took. A
// mutant may loop in assembly, which only SIGKILL ends. It may also start programs, leave files,
// and use all memory. The main limit is processor time, which does not depend on other programs. A
// second limit ends mutants that wait forever.
func (r *runner) test(ctx context.Context, s stage, binary string, usual time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute+20*usual)
	defer cancel()
	script := fmt.Sprintf(`ulimit -t %d; ulimit -v 16000000; ulimit -c 0; exec "$@"`, 3+int(4*usual.Seconds()))
	args := append([]string{"-c", script, "sh"}, s.tier.run...)
	args = append(args, binary, "-test.failfast", "-test.run", s.run, fmt.Sprint("-test.short=", s.short))
	cmd := command(ctx, "/bin/sh", args...)
	cmd.Dir = filepath.Join(r.root, s.pkg)
	cmd.Env = append(os.Environ(), "SIMDRANK_CPU="+s.tier.name, "SIMDRANK_CPU_REQUIRE="+s.tier.name,
		"TMPDIR="+filepath.Dir(binary))
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
