package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// npy returns the content of an .npy file.
func npy(descr string, rows, cols int, data any) string {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }\n", descr, rows, cols)
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	b, err := binary.Append(append(b, header...), binary.LittleEndian, data)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestNearest(t *testing.T) {
	vectors := []float32{1, 0, 0, 2, 3, 4, -1, 0, 0, 2}
	queries := []float32{1, 0, 0, 1}
	v, q := writeTemp(t, "v.npy", npy("<f4", 5, 2, vectors)), writeTemp(t, "q.npy", npy("<f4", 2, 2, queries))
	for args, want := range map[string]string{
		"--k 2":                           "0\t2\t3\n0\t0\t1\n1\t2\t4\n1\t1\t2\n",
		"--k 2 --metric cosine":           "0\t0\t1\n0\t2\t0.6\n1\t1\t1\n1\t4\t1\n",
		"--metric l2 --k 3 --threads 2":   "0\t0\t0\n0\t3\t4\n0\t1\t5\n1\t1\t1\n1\t4\t1\n1\t0\t2\n",
		"--metric l2 --k 1 --format json": "{\n  \"metric\": \"l2\",\n  \"queries\": [\n    {\n      \"ids\": [\n        0\n      ],\n",
	} {
		t.Run(args, func(t *testing.T) {
			got := succeed(t, "", append(strings.Fields(args), "nearest", "-i", v, "-q", q)...)
			if strings.Contains(args, "json") {
				got = got[:min(len(got), len(want))]
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	lists := decode[neighborLists](t, succeed(t, npy("<f4", 2, 2, queries), "nearest", "-i", v, "-q", "-", "--k", "1",
		"--format", "json"))
	want := neighborLists{Metric: "dot", Queries: []neighborList{
		{IDs: []int32{2}, Scores: []number{3}}, {IDs: []int32{2}, Scores: []number{4}}}}
	if !reflect.DeepEqual(lists, want) {
		t.Errorf("%+v, want %+v", lists, want)
	}

	// Every type.
	for descr, data := range map[string]any{
		"<f8": []float64{1, 0, 0, 2}, "<f2": []uint16{0x3c00, 0, 0, 0x4000}, "|i1": []int8{1, 0, 0, 2},
		"|u1": []uint8{1, 0, 0, 2},
	} {
		t.Run(descr, func(t *testing.T) {
			path := writeTemp(t, "a.npy.gz", testkit.Gzip(npy(descr, 2, 2, data)))
			if got := succeed(t, "", "nearest", "-i", path, "-q", path, "--k", "1"); got != "0\t0\t1\n1\t1\t4\n" {
				t.Errorf("%q", got)
			}
		})
	}
	small := writeTemp(t, "a.npy", npy("|i1", 2, 2, []int8{1, 0, 0, 2}))
	if got := succeed(t, "", "nearest", "-i", small, "-q", q, "--k", "1"); got != "0\t0\t1\n1\t1\t2\n" {
		t.Errorf("float32 queries, int8 vectors: %q", got)
	}
	bits := writeTemp(t, "bits.npy", npy("<u8", 2, 1, []uint64{7, 8}))
	bitwise := succeed(t, "", "nearest", "-i", bits, "-q", bits, "--metric", "hamming")
	if bitwise != "0\t0\t0\n0\t1\t4\n1\t1\t0\n1\t0\t4\n" {
		t.Errorf("bits: %q", bitwise)
	}

	// Scores that float32 would round, and one that it has rounded.
	doubles := writeTemp(t, "doubles.npy", npy("<f8", 3, 1, []float64{1e6, 1000000.01, 1000000.02}))
	one := writeTemp(t, "one.npy", npy("<f8", 1, 1, []float64{1}))
	got := succeed(t, "", "nearest", "-i", doubles, "-q", one)
	if got != "0\t2\t1.00000002e+06\n0\t1\t1.00000001e+06\n0\t0\t1e+06\n" {
		t.Errorf("float64: %q", got)
	}
	tenth := writeTemp(t, "tenth.npy", npy("<f4", 1, 1, []float32{0.1}))
	single := writeTemp(t, "single.npy", npy("<f4", 1, 1, []float32{1}))
	if got := succeed(t, "", "nearest", "-i", tenth, "-q", single); got != "0\t0\t0.1\n" {
		t.Errorf("float32: %q", got)
	}

	// Half of the neighbors are the true ones, by ids of two types.
	ids := writeTemp(t, "t.ivecs", strings.Map(func(r rune) rune { return r - '0' }, "200020004000200020003000"))
	wide := writeTemp(t, "t.npy", npy("<i8", 2, 2, []int64{2, 4, 2, -1}))
	args := []string{"nearest", "-i", v, "-q", q, "--k", "2", "--truth"}
	if got := succeed(t, "", append(args, ids)...); got != "recall@2  0.5000\n" {
		t.Errorf("recall: %q", got)
	}
	out := writeTemp(t, "out", "")
	recall := decode[recallResult](t, succeed(t, "", append(args, wide, "--format", "json", "-o", out)...))
	if recall != (recallResult{2, 2, 0.75}) {
		t.Errorf("recall: %+v", recall)
	}
	if text, err := os.ReadFile(out); err != nil || len(decode[neighborLists](t, string(text)).Queries) != 2 {
		t.Errorf("output: %s, %v", text, err)
	}
}

// Embeddings become a run with IDs of their own.
func TestNearestRun(t *testing.T) {
	v := writeTemp(t, "v.npy", npy("<f4", 4, 2, []float32{1, 0, 0, 2, 3, 4, 0, 2}))
	q := writeTemp(t, "q.npy", npy("<f4", 2, 2, []float32{1, 0, 0, 1}))
	ids, queryIDs := writeTemp(t, "ids", "a\nb\nc\nd\n"), writeTemp(t, "q.gz", testkit.Gzip("q7\nq8\n"))
	args := []string{"nearest", "-i", v, "-q", q, "--k", "2", "--ids", ids, "--query-ids", queryIDs}
	for flags, want := range map[string]string{
		"":                                       "q7\tc\t3\nq7\ta\t1\nq8\tc\t4\nq8\tb\t2\n",
		"--format trec":                          "q7 Q0 c 1 3 dot\nq7 Q0 a 2 1 dot\nq8 Q0 c 1 4 dot\nq8 Q0 b 2 2 dot\n",
		"--format trec --metric l2 --run-name m": "q7 Q0 a 1 0 m\nq7 Q0 b 2 -5 m\nq8 Q0 d 1 -1 m\nq8 Q0 b 2 -1 m\n",
		"--format csv":                           "query,id,score\nq7,c,3\nq7,a,1\nq8,c,4\nq8,b,2\n",
	} {
		t.Run(flags, func(t *testing.T) {
			if got := succeed(t, "", append(args, strings.Fields(flags)...)...); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	lists := decode[neighborLists](t, succeed(t, "", append(args, "--format", "json")...))
	want := []neighborList{{"q7", []int32{2, 0}, []string{"c", "a"}, []number{3, 1}},
		{"q8", []int32{2, 1}, []string{"c", "b"}, []number{4, 2}}}
	if !reflect.DeepEqual(lists.Queries, want) {
		t.Errorf("%+v, want %+v", lists.Queries, want)
	}
	plain := succeed(t, "", "nearest", "-i", v, "-q", q, "--k", "1", "--format", "trec")
	if plain != "0 Q0 2 1 3 dot\n1 Q0 2 1 4 dot\n" {
		t.Errorf("without IDs: %q", plain)
	}
	nan := writeTemp(t, "nan.npy", npy("<f4", 1, 2, []float32{0, float32(math.NaN())}))
	fail(t, exitFailure, "", []string{"nearest", "-i", nan, "-q", q, "--format", "trec"}, "--format trec: ",
		"score is NaN")
	hash := writeTemp(t, "hash", "#1\nq\n")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--ids " + queryIDs, exitFailure, queryIDs + " contains 2 IDs, but " + v + " contains 4 vectors"},
		{"--query-ids " + ids, exitFailure, ids + " contains 4 IDs, but " + q + " contains 2 vectors"},
		{"--ids " + writeTemp(t, "twice", "a\nb\na\n"), exitFailure, `twice:3: the identifier is given twice: "a"`},
		{"--format trec --query-ids " + hash, exitFailure, `--format trec: the topic "#1" begins with #`},
		{"--format json --run-name m", exitUsage, "--run-name requires --format trec"},
		{"--format trec --run-name=", exitUsage, "--run-name"},
		{"--format trec --truth x", exitUsage, "--truth with --format trec requires --output (-o)"},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			fail(t, c.code, "", append([]string{"nearest", "-q", q, "-i", v}, strings.Fields(c.args)...), c.want)
		})
	}
}

func TestNearestErrors(t *testing.T) {
	file := func(descr string, rows, cols int, data any) string {
		return writeTemp(t, "a.npy", npy(descr, rows, cols, data))
	}
	v, ints := file("<f4", 2, 2, make([]float32, 4)), file("<i4", 2, 2, []int32{1, 1, 1, 1})
	nan := file("<f4", 2, 2, []float32{0, 0, 0, float32(math.NaN())})
	complexes, wide := file("<c8", 2, 2, make([]int64, 4)), file("<f4", 1, 3, make([]float32, 3))
	doubles := file("<f8", 1, 2, make([]float64, 2))
	text, far := writeTemp(t, "a.txt", "1 2"), file("<i8", 2, 1, []int64{1, 1 << 33})
	next := file("<i8", 2, 1, []int64{1, 2})
	many := make([]float32, 2*300)
	many[2*290] = float32(math.NaN())
	late := file("<f4", 300, 2, many)
	halves := file("<f2", 2, 2, make([]uint16, 4))
	for _, c := range []struct {
		args string
		want string
	}{
		{"-i " + v + " -q missing.npy", "missing.npy: "},
		{"-i " + v + " -q " + late, late + ": query 290: the query must not contain NaN (element 0 of 2)"},
		{"-i " + v + " -q " + halves, v + ": float16 queries cannot be compared with float32 vectors"},
		{"-i " + text + " -q " + v, text + ": unknown vector format: use .npy"},
		{"-i " + complexes + " -q " + v, complexes + `: invalid header "{'descr': '<c8', 'fortran_order': False, ` +
			`'shape': (2, 2), }": element type "<c8" is not supported`},
		{"-i " + v + " -q " + wide, wide + " is 1 × 3 float32, but " + v + " is 2 × 2"},
		{"-i " + v + " -q " + doubles, v + ": float64 queries cannot be compared with float32 vectors"},
		{"-i " + v + " -q " + v + " --metric jaccard", v + ": metric jaccard does not support float32 vectors"},
		{"-i " + ints + " -q " + v, ints + ": the file contains int32, which is not supported for vectors"},
		{"-i " + v + " -q " + ints, ints + ": the file contains int32, which is not supported for queries"},
		{"-i " + v + " -q " + nan, nan + ": query 1: the query must not contain NaN (element 1 of 2)"},
		{"-i " + v + " -q " + v + " --truth " + v, v + ": the file contains float32; neighbor IDs must be int32 or int64"},
		{"-i " + v + " -q " + v + " --truth " + ints, ints + ": the file contains 2 queries with 2 neighbor IDs each; it must contain 2 queries with at least 10 IDs each"},
		{"-i " + v + " -q " + v + " --k 1 --truth " + far, far + ": query 1: ID 8589934592 does not exist: there are 2 vectors"},
		{"-i " + v + " -q " + v + " --k 1 --truth " + next, next + ": query 1: ID 2 does not exist"},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			fail(t, exitFailure, "", append([]string{"nearest"}, strings.Fields(c.args)...), c.want)
		})
	}
	for args, want := range map[string]string{
		"nearest -q x":                      `nearest requires --input (-i)`,
		"nearest -i x -q y --k 0":           "--k 0: must be at least 1",
		"nearest -i x -q y --threads -1":    "--threads -1: must be at least 0",
		"nearest -i x -q y --truth z -o -":  "--truth cannot be combined with --output -",
		"nearest -i - -q -":                 "only one input can be standard input",
		"nearest -i " + v + " -q x -o " + v: "would replace the input",
		"nearest x.npy":                     `unexpected argument "x.npy"`,
	} {
		t.Run(testkit.CaseName(args), func(t *testing.T) {
			fail(t, exitUsage, "", strings.Fields(args), want)
		})
	}
}
