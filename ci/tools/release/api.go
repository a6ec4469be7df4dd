package main

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/packages"
)

// compareAPI compares the exported API with the last release. A patch release must not change it
// incompatibly, and from v1 on neither must a minor release. Before the first release, compareAPI
// prints the size of the API.
func (s *staging) compareAPI(root string) error {
	last, err := lastTag(root)
	if err != nil {
		return err
	}
	current, err := apiOf(s.tree, s.modules)
	if err != nil {
		return err
	}
	names := 0
	for _, p := range current {
		for _, name := range p.Scope().Names() {
			if p.Scope().Lookup(name).Exported() {
				names++
			}
		}
	}
	fmt.Fprintf(s.log, "the API has %d packages with %d exported names at package level\n", len(current), names)
	if last == "" {
		return nil
	}
	old := filepath.Join(s.scratch, "old")
	if err := archive(root, last, old); err != nil {
		return err
	}
	before, err := apiOf(old, s.modules)
	if err != nil {
		return err
	}
	report := apidiff.ModuleChanges(
		&apidiff.Module{Path: s.modules[0].path, Packages: before},
		&apidiff.Module{Path: s.modules[0].path, Packages: current})
	fmt.Fprintf(s.log, "changes of the API since %s:\n%s", last, report)
	var incompatible bytes.Buffer
	if err := report.TextIncompatible(&incompatible, false); err != nil {
		return err
	}
	same := semver.MajorMinor(s.version) == semver.MajorMinor(last) ||
		semver.Major(s.version) == semver.Major(last) && semver.Major(last) != "v0"
	if incompatible.Len() > 0 && same && s.version != dryRun {
		return fmt.Errorf("%s changes the API of %s incompatibly: release a higher version, or restore:\n%s", s.version,
			last, &incompatible)
	}
	return nil
}

// apiOf returns the packages of the modules that users can import.
func apiOf(tree string, modules []mod) ([]*types.Package, error) {
	config := packages.Config{
		Dir:  tree,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps,
		Env:  append(os.Environ(), "GOWORK="+filepath.Join(tree, "go.work"), "GOFLAGS="),
	}
	var patterns []string
	for _, m := range modules {
		if m.dir != "examples" {
			patterns = append(patterns, "./"+m.dir+"/...")
		}
	}
	loaded, err := packages.Load(&config, patterns...)
	if err != nil {
		return nil, err
	}
	var api []*types.Package
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		path := strings.TrimPrefix(p.PkgPath, modules[0].path)
		private := strings.Contains(path+"/", "/internal/") || strings.HasPrefix(path, "/ci") ||
			strings.HasPrefix(path, "/bench")
		if p.Name != "main" && !private {
			api = append(api, p.Types)
		}
	}
	return api, nil
}
