// Command machine measures the kernels on this machine, with Go alone and within two minutes: each
// tier against plain Go and gonum, and against the speed of the memory.
//
//	go run ./bench/machine                              the table, as Markdown
//	go run ./bench/machine -o FILE.md -json FILE.json   the same in files, for bench/results
//	go run ./bench/machine -page FILE.html FILE.json …  a page of several machines, side by side
//
// What it runs are benchmarks of package bench, by go test, which GOARCH, GOFLAGS (-tags=purego,
// -exec=qemu-aarch64-static) and the like mean as well. A round runs all of them once, one tier
// after the other; ratios are those of the times of one round, and medians are over the rounds.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
)

func main() {
	markdown := flag.String("o", "", "write the table to `FILE`, in Markdown (default standard output)")
	asJSON := flag.String("json", "", "write the figures to `FILE`, too, in JSON")
	page := flag.String("page", "", "measure nothing: write the figures of the JSON files given to `FILE`, in HTML")
	flag.Parse()
	ctx := cli.Context()
	if err := run(ctx, *markdown, *asJSON, *page, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "machine:", err)
		os.Exit(cli.ExitCode(ctx, 1))
	}
}

func run(ctx context.Context, markdown, asJSON, page string, args []string) error {
	switch {
	case page != "" && (markdown != "" || asJSON != ""):
		return errors.New("-page measures nothing: it goes with neither -o nor -json")
	case page != "" && filepath.Ext(page) != ".html": // such as that of a result, which it would replace
		return fmt.Errorf("-page %s: want a name that ends in .html, and then the files of results", page)
	case page != "":
		results, err := load(args)
		if err != nil {
			return err
		}
		return files.Save(page, func(w io.Writer) error { return writePage(w, results) })
	case markdown != "" && markdown == asJSON:
		return fmt.Errorf("-o and -json name the same file: %s", markdown)
	case len(args) > 0:
		return fmt.Errorf("argument %q: files are for -page", args[0])
	}
	for _, path := range []string{markdown, asJSON} {
		if path == "" {
			continue
		}
		if err := files.Check(path); err != nil {
			return err
		}
	}
	r, err := measure(ctx, selections, rounds, duration)
	if err != nil {
		return err
	}
	if asJSON != "" {
		if err := save(asJSON, r); err != nil {
			return err
		}
	}
	if markdown == "" {
		return writeMarkdown(os.Stdout, r)
	}
	return files.Save(markdown, func(w io.Writer) error { return writeMarkdown(w, r) })
}

func save(path string, r *result) error {
	return files.Save(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(r)
	})
}

// load reads what save wrote.
func load(paths []string) (results []*result, err error) {
	if len(paths) == 0 {
		return nil, errors.New("-page: no files of results; bench/results has some")
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r := new(result)
		if err := json.Unmarshal(content, r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if len(r.Kernels) == 0 || len(r.Machine.Tiers) == 0 || slices.Contains(r.Kernels, nil) {
			return nil, fmt.Errorf("%s: no tiers or no kernels: not a file of -json", path)
		}
		results = append(results, r)
	}
	return results, nil
}
