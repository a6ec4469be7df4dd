package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pages must be equal to the result files. To update them, run go run ./bench/peers/table.
func TestPages(t *testing.T) {
	const root = "../../.."
	results, err := read(filepath.Join(root, "bench/results/peers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		t.Run(p.path, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, p.path))
			if err != nil {
				t.Fatal(err)
			}
			page := strings.ReplaceAll(string(text), "\r\n", "\n")
			updated, err := update(page, results, p.write)
			if err != nil {
				t.Fatal(err)
			}
			if updated != page {
				t.Error("the page differs from the result files: run go run ./bench/peers/table")
			}
		})
	}
}

const emptyPage = "before\n" + begin + "old\n" + end + "after\n"

func TestTables(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "page.md")
	for _, c := range []struct {
		name, results string
		page          page
		want          []string
	}{
		{"no results", dir, page{path, tables}, []string{"before\n" + begin + "old\n" + end + "after\n"}},
		{"tables", "testdata", page{path, tables}, []string{
			"before\n" + begin + "\n## Current versions\n",
			"| small | Example 1 | avx512 | 2026-01-02 to 2026-01-03 |\n",
			"| FAISS | 3.4 | AVX2 |\n",
			"### Training trees\n\n| Task | Compared with | Threads | small | NDCG@10 |\n|---|---|---:|---:|---:|\n" +
				"| 100k × 136, 100 trees of 31 leaves | LightGBM | 1 | 4.5 | 0.562, 0.565 |\n" +
				"| 100k × 136, binning | LightGBM | 2 | 12 |  |\n",
			"| top 100 of 1000k × 128, 1 query | FAISS | 1 | **0.96** |\n",
			"| 10000 random values | SciPy | 1 | 20 | 1 ms, 20 ms | 1 MB, 3 MB |\n",
			end + "after\n",
		}},
		{"headline", "testdata", page{path, headline}, []string{
			"before\n" + begin + "\n| Task | Compared with | small |\n|---|---|---:|\n" +
				"| train LambdaMART, 100,000 × 136 | LightGBM 1.2 | 4.5 |\n" +
				"| exact vector search, 1M × 128, one query | FAISS 3.4 | **0.96** |\n\n" + end + "after\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(emptyPage), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := run(c.results, []page{c.page}); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range c.want {
				if !strings.Contains(string(got), w) {
					t.Errorf("the page lacks %q:\n%s", w, got)
				}
			}
			if c.name != "no results" && strings.Contains(string(got), "old") {
				t.Error("the old tables stayed")
			}
		})
	}
	if _, err := update("no markers", nil, tables); err == nil {
		t.Error("a page without markers was accepted")
	}
}
