package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// readme returns the README, and its blocks of Go.
func readme(t *testing.T) (text string, blocks []string) {
	b, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Skip(err) // the command on its own, outside the project's tree
	}
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(b), -1) {
		blocks = append(blocks, m[1])
	}
	return string(b), blocks
}

// TestREADMESnippets compiles the pieces of Go that the README shows beside its
// program, each with what it takes as given.
func TestREADMESnippets(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	_, blocks := readme(t)
	given := []string{
		"m rank.Model, data *rank.Dataset, scores []float64",
		"x []float32",
		"labels, scores, x, y []float64, qrels *trec.Qrels, run *trec.Run, best []int",
		"vectors, query, queries []float32, rows int",
	}
	if len(blocks) != 1+len(given) {
		t.Fatalf("%d blocks of Go, want the program and %d", len(blocks), len(given))
	}
	var source strings.Builder
	source.WriteString("package readme\n\nimport (\n\t\"context\"\n")
	for _, name := range []string{"kernels", "nearest", "rank", "rank/model", "rank/trec"} {
		fmt.Fprintf(&source, "\t\"github.com/simdrank/simdrank/%s\"\n", name)
	}
	source.WriteString(")\n")
	declared := regexp.MustCompile(`(?m)^(\w+)(?:, \w+)? :=`)
	for i, block := range blocks[1:] {
		fmt.Fprintf(&source, "\nfunc _(ctx context.Context, err error, %s) {\n{\n%s", given[i], block)
		for _, names := range declared.FindAllStringSubmatch(block, -1) {
			fmt.Fprintf(&source, "_ = %s\n", names[1])
		}
		source.WriteString("_ = err\n}\n}\n")
	}
	program := writeTemp(t, "readme.go", source.String())
	if out, err := exec.Command("go", "build", program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, source.String())
	}
}

// TestREADME runs the README's commands in order, in an empty folder, and its
// program on the files that they leave.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program, and trains for seconds on emulated processors")
	}
	text, blocks := readme(t)
	if len(blocks) == 0 {
		t.Fatal("no program in the README")
	}
	program := writeTemp(t, "main.go", blocks[0])
	bin := filepath.Join(t.TempDir(), "program.exe")
	if out, err := exec.Command("go", "build", "-o", bin, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	t.Chdir(t.TempDir())
	vectors := npy("<f4", 2, 2, []float32{1, 2, 3, 4})
	for name, content := range map[string]string{"qrels.txt": qrels, "run.gz": testkit.Gzip(runB),
		"run2.gz":     testkit.Gzip(runB),
		"vectors.npy": vectors, "queries.npy": vectors} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	shown := 0
	for line := range strings.Lines(text) {
		command, _, _ := strings.Cut(line, " #")
		args := strings.Fields(command)
		if len(args) == 0 || args[0] != "simdrank" {
			continue
		}
		ran++
		out := succeed(t, "", args[1:]...)
		if args[1] != "compare" && args[1] != "explain" {
			continue
		}
		if shown++; !strings.Contains(text, "```\n"+out+"```") {
			t.Errorf("%s prints what the README does not show:\n%s", args[1], out)
		}
	}
	if ran < 11 {
		t.Errorf("only %d commands found", ran)
	}
	if shown != 2 {
		t.Errorf("%d commands whose output the README shows, want compare and explain", shown)
	}
	if out, err := exec.Command(bin).CombinedOutput(); err != nil ||
		!strings.Contains(string(out), "ndcg@10: 0.6842\n") {
		t.Errorf("the program prints %s%v", out, err)
	}
}
