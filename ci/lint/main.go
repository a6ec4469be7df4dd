// Command lint checks rules of this project that neither the assembler nor go vet checks.
//
// It checks that each kernel
//
//   - uses only instructions of its tier, and no reserved registers
//   - clears the upper halves of the vector registers before every return
//   - encodes each WORD as the instruction that its comment names
//   - has a reference, tests, a fuzz target and a benchmark, in the same order in every file
//
// It also checks that
//
//   - comments and Markdown have at most 100 columns, and code at most 120
//   - prefetch distances have names
//   - numbers in files are parsed by package internal/text
//   - tests make each case of a loop a subtest
//   - public packages expose no internal types, export few names, and read with a memory limit
//   - text follows docs/contributing/writing.md
//
// It requires the GNU assembler for arm64 (Debian: binutils-aarch64-linux-gnu) to check WORDs.
//
//	go run ./ci/lint [-update-prose] [-list-prose KIND/RULE] [root of the project]
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	update := flag.Bool("update-prose", false, "lower the counts in "+proseFile+" to those of the text")
	list := flag.String("list-prose", "", "only list the places that a rule counts, as in doc/stand or help/long-sentence")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if *list != "" {
		places, err := proseOf(root, *list)
		if err != nil {
			fmt.Fprintln(os.Stderr, "lint:", err)
			os.Exit(2)
		}
		for _, q := range places {
			fmt.Printf("%s:%d\n", q.file, q.line)
		}
		return
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
