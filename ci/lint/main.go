// Command lint checks what neither the assembler nor go vet checks about the
// kernels: that an instruction belongs to its tier, that the upper halves of the
// vector registers are clean at every return, that reserved registers are left
// alone, that a WORD is the instruction which its comment names, and that every
// kernel stands in the reference, the tests, the fuzz targets and the
// benchmarks, in the same order in every file of its set. It also checks that
// comments and Markdown have at most 100 columns, code has at most 120, distances
// of prefetches have names, numbers in files are read by package internal/text,
// tests make each case of a loop a subtest, and the packages that programs import
// show no types of internal packages, have few names in all, and readers that take a memory limit.
//
// It wants the GNU assembler for arm64 (Debian: binutils-aarch64-linux-gnu) as an
// authority on WORDs.
//
//	go run ./ci/lint [-update-prose] [root of the project]
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	update := flag.Bool("update-prose", false, "lower the counts in "+proseFile+" to those of the text")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	p, err := lint(root, *update)
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	for _, s := range p.found {
		fmt.Println(s)
	}
	fmt.Printf("%d kernels, %d assembly functions, %d instructions, %d WORDs: %d problems\n",
		p.kernels, p.functions, p.instructions, p.words, len(p.found))
	if len(p.found) > 0 {
		os.Exit(1)
	}
}
