//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// What became of a mutant.
type outcome int

const (
	survived outcome = iota
	caught
	endless   // caught by a time limit
	notBuilds // no mutant
	known     // listed as equivalent, and not run
)

// A runner builds and tests mutants of the tree at root, which it never writes to.
type runner struct {
	root, scratch string
	serial        atomicCount
	times         sync.Map // of a stage of tests without a mutation: func() (time.Duration, error)
}

// A stage is tests of one package on one tier.
type stage struct {
	tier     *tier
	pkg, run string
}

// stages are the tests of a mutation, in the order in which they are tried.
func (m *mutation) stages() (list []stage) {
	for _, pkg := range m.family.packages {
		if m.family.first != "" {
			list = append(list, stage{m.tier, pkg, m.family.first})
		}
	}
	for _, pkg := range m.family.packages {
		list = append(list, stage{m.tier, pkg, "."})
	}
	return list
}

// try builds a mutant and runs its tests until one fails. The error tells why the tests cannot be
// trusted.
func (r *runner) try(m *mutation) (outcome, error) {
	dir := filepath.Join(r.scratch, fmt.Sprint(r.serial.next()))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	overlay, err := r.overlay(m, dir)
	if err != nil {
		return 0, err
	}
	binaries := map[string]string{}
	for _, pkg := range m.family.packages {
		binary := filepath.Join(dir, filepath.Base(pkg)+".test")
		if err := r.build(m.tier, pkg, binary, "-overlay", overlay); err != nil {
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				return notBuilds, nil
			}
			return 0, err
		}
		binaries[pkg] = binary
	}
	for _, s := range m.stages() {
		usual, err := r.usual(s)
		if err != nil {
			return 0, err
		}
		_, err = r.test(s, binaries[s.pkg], 10*time.Second+8*usual)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return endless, nil
		case err != nil:
			return caught, nil
		}
	}
	return survived, nil
}

// usual returns how long a stage takes without a mutation, and an error when it fails.
func (r *runner) usual(s stage) (time.Duration, error) {
	f, _ := r.times.LoadOrStore(fmt.Sprint(s.tier.name, s.pkg, s.run), sync.OnceValues(func() (time.Duration, error) {
		b, _ := r.times.LoadOrStore(fmt.Sprint(s.tier.arch, s.pkg), sync.OnceValues(func() (time.Duration, error) {
			return 0, r.build(s.tier, s.pkg, r.plain(s))
		}))
		if _, err := b.(func() (time.Duration, error))(); err != nil {
			return 0, fmt.Errorf("%s does not build: %w", s.pkg, err)
		}
		took, err := r.test(s, r.plain(s), 10*time.Minute)
		if err != nil {
			return 0, fmt.Errorf("the tests of %s fail on %s without a mutation: %w", s.pkg, s.tier.name, err)
		}
		return took, nil
	}))
	return f.(func() (time.Duration, error))()
}

// plain is the path of a stage's test program without a mutation.
func (r *runner) plain(s stage) string {
	return filepath.Join(r.scratch, s.tier.arch+"-"+filepath.Base(s.pkg)+".test")
}

// overlay writes the mutated file, and the file that tells go build of it.
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
	// an overlay does not reach what assembly includes: name the file there
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

// build builds the tests of a package.
func (r *runner) build(t *tier, pkg, binary string, args ...string) error {
	cmd := exec.Command("go", append(append([]string{"test", "-c", "-ldflags=-s -w", "-o", binary}, args...), pkg)...)
	cmd.Dir = r.root
	// a third of the compiler's time is collection
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+t.arch, "CGO_ENABLED=0", "GOGC=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// test runs a stage. A mutant may loop in assembly, which no signal but SIGKILL ends, start
// programs, and take all memory that there is.
func (r *runner) test(s stage, binary string, limit time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := []string{"-c", `ulimit -v 16000000; ulimit -c 0; exec "$@"`, "sh"}
	args = append(append(args, s.tier.run...), binary, "-test.failfast", "-test.run", s.run)
	if len(s.tier.run) > 0 {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", args...)
	cmd.Dir = filepath.Join(r.root, s.pkg)
	cmd.Env = append(os.Environ(), "SIMDRANK_CPU="+s.tier.name, "SIMDRANK_CPU_REQUIRE="+s.tier.name)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return time.Since(start), err
}
