package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rounds contains the output of go test -bench, with two tiers and gonum.
var outputs = []string{`goos: linux
BenchmarkRead/L1/tier=generic-2   	1	1000 ns/op	24000.00 MB/s
BenchmarkRead/L1/tier=avx2-2      	1	100.0 ns/op	240000.00 MB/s
BenchmarkRead/RAM/tier=generic-2  	1	10000000 ns/op	20000.00 MB/s
BenchmarkRead/RAM/tier=avx2-2     	1	5000000 ns/op	40000.00 MB/s
BenchmarkSortF32/500-2            	1	7 ns/op
BenchmarkNDCG/ndcg/10000x120/tier=generic-2 	1	1000000 ns/op	8.0 ns/doc
BenchmarkNDCG/ndcg/10000x120/tier=avx2-2    	1	500000 ns/op	4.0 ns/doc
BenchmarkDotF64/n=1024/tier=generic-2 	1	800 ns/op	20480.00 MB/s	2 Gflop/s
BenchmarkDotF64/n=1024/tier=avx2-2    	1	80 ns/op	204800.00 MB/s
BenchmarkDotF64/n=1024/tier=gonum-2   	1	160 ns/op	102400.00 MB/s
PASS
`, ``, ``}

func init() {
	outputs[1] = strings.ReplaceAll(outputs[0], "	80 ns/op", "	40 ns/op") // 20 × and 4 ×
	outputs[2] = strings.ReplaceAll(outputs[0], "	800 ns/op", "	960 ns/op")
}

func parsed(t *testing.T, outputs []string) *result {
	t.Helper()
	r := &result{Machine: machine{Processor: "A Processor", CPUs: 2, System: "linux/amd64", Go: "go1.26",
		Load: "0.10 → 1.20"}}
	for _, output := range outputs {
		if err := r.parse(output, selections); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.evaluate(selections, len(outputs)); err != nil {
		t.Fatal(err)
	}
	return r
}

const want = `# A Processor

| | |
|---|---|
| Processor | A Processor |
| CPUs | 2 |
| System | linux/amd64 |
| Go | go1.26 |
| Tiers | generic, avx2; chosen: avx2 |
| Reading, one thread | L1 240 GB/s (23 KiB), RAM 40 GB/s (191 MiB) |
| Load before → after | 0.10 → 1.20 |
| Measured | UTC |

` + legend + `

## linear

| Kernel | Case | avx2 | avx2, × Go | × gonum | GB/s | of reading |
|---|---|---:|---:|---:|---:|---:|
| DotF64 | n=1024 | 80.0 ns | 12.0 | 2.00 | 205 | 85% L1 |

## top-k

| Kernel | Case | avx2 | avx2, × Go |
|---|---|---:|---:|
| NDCG | ndcg/10000x120 | 500 µs | 2.00 |
`

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := writeMarkdown(&b, parsed(t, outputs)); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestEvaluateErrors(t *testing.T) {
	if err := (&result{}).evaluate(selections, 1); err == nil {
		t.Error("no error without benchmarks")
	}
	r := &result{}
	for _, output := range []string{outputs[0], strings.ReplaceAll(outputs[0], "DotF64/n=1024/tier=avx2", "X")} {
		if err := r.parse(output, selections); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.evaluate(selections, 2); err == nil || !strings.Contains(err.Error(), "DotF64/n=1024") {
		t.Errorf("a round without a time: %v", err)
	}
	if err := r.parse("BenchmarkDotF64/n=8/tier=avx2 1 x ns/op\n", selections); err == nil {
		t.Error("no error for a time that is no number")
	}
}

func TestRunErrors(t *testing.T) {
	for _, c := range []struct {
		path string
		args []string
		want string
	}{
		{"", []string{"x"}, `argument "x"`},
		{filepath.Join(t.TempDir(), "missing", "x.md"), nil, "missing"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if err := run(t.Context(), c.path, c.args); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// notMeasured lists benchmarks without tiers, and benchmarks of code that is built from other
// kernels.
var notMeasured = strings.Fields("Categories Contributions CountTauThreads Diversity HistogramU16 Missing Objective Order" +
	" RankSVM ReadLETOR Request Search SortF32 WriteLETOR")

// Every benchmark is measured, or listed in notMeasured.
func TestSelections(t *testing.T) {
	paths, err := filepath.Glob("../*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Recv != nil {
				continue
			}
			name, ok := strings.CutPrefix(d.Name.Name, "Benchmark")
			if !ok {
				continue
			}
			found++
			selected := slices.ContainsFunc(selections, func(s selection) bool { return s.has(name) })
			if selected == slices.Contains(notMeasured, name) {
				t.Errorf("%s: Benchmark%s belongs to selections or to notMeasured, to one of them", path, name)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d benchmarks", found)
	}
}

func TestArmProcessor(t *testing.T) {
	const info = "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: %\n"
	for part, want := range map[string]string{"0xd40": "Arm Neoverse V1", "0xfff": "implementer 0x41, part 0xfff"} {
		t.Run(part, func(t *testing.T) {
			if got := armProcessor(strings.ReplaceAll(info, "%", part)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if got := armProcessor("model name\t: X\n"); got != "" {
		t.Errorf("%q", got)
	}
}

// This test runs the benchmarks for a very short time.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("links the benchmarks: not run in short mode")
	}
	tiny := []selection{{"memory", reading, "L1"}, {"linear", "DotF64", "n=8"}, {"order", "ScanF64", ""}}
	r, err := measure(t.Context(), tiny, 1, "1x")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Memory) != 1 || len(r.Kernels) != 2 || r.Kernels[0].Name != "DotF64" || r.Machine.Tiers[0] != generic {
		t.Errorf("%+v", r)
	}
	for _, k := range r.Kernels {
		if len(k.Generic) != len(r.Machine.Tiers)-1 || k.Times[generic] == 0 || (k.Gonum > 0) != (k.Name == "DotF64") {
			t.Errorf("%+v", k)
		}
	}
}
