//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A family is a set of files. The same tests should catch all of their mutants.
type family struct {
	name     string
	files    []string // patterns below the root
	packages []string // a mutant survives if all of their tests pass
	first    string   // -test.run of the tests that run first
}

var families = []family{
	{"linear", files("kernels", "kernels_linear_*", "linear.go", "dispatch.go", "dispatch_*.h", "dot_*.h", "axpy*_*.h",
		"vector_*.h", "lanes_*.h", "sum_*.h", "neon_*.h", "f32*_*.h", "f64_*.h", "clear_*.h", "tail_*.h"),
		[]string{"./kernels"}, table("Dot|Axpy") + "|^TestLinear|^TestDot"},
	{"gemv", files("kernels", "kernels_gemv_*", "gemv.go", "gemv_*.h", "gemvt_*.h", "sums_*.h"),
		[]string{"./kernels"}, table("Gemv|Spmv|Nonzeros") + "|^TestSpmv|^TestGemv|^TestFMA"},
	{"vector", files("vectors", "kernels_vector_*", "dispatch.go", "vector.go", "half.go", "mixed.go", "quantize.go",
		"compare_*.h", "bytes_*.h", "bits_*.h", "bf16_*.h", "f16_*.h", "f32*_*.h", "f64_*.h", "i[48]_*.h", "u8_*.h",
		"clear_*.h", "cosine_*.h", "l2_*.h", "one_*.h", "tail_*.h", "dispatch_*.h", "dot_*.h", "lanes_*.h", "neon_*.h",
		"sum_*.h", "vector_*.h"),
		[]string{"./vectors"}, table("L2|Cosine|Dot.*[48]|Hamming|Jaccard|.*F16|ScaleI8|.*uantizeI8|SignBits") +
			"|^TestVector|^TestHalves|^TestQuantize|^TestWithout"},
	{"many", files("vectors", "kernels_many_*", "many.go", "many_blocks.go", "many_*.h"),
		[]string{"./vectors"}, table("many|.*(Rows|Block)F32|cosinesF32|fetch") + "|^TestMany"},
	{"block", files("vectors", "kernels_block_*", "block.go", "block_*.h"),
		[]string{"./vectors"}, table("block") + "|^TestBlocks|^TestManyHamming"},
	{"maxsim", files("vectors", "kernels_maxsim_*", "maxsim.go", "maxsim_bytes.go", "maxsim_*.h"),
		[]string{"./vectors"}, table("maxSim") + "|^TestMaxSim"},
	{"tau", append(files("internal/order", "argsort.go", "column.go", "grid.go", "tau*.go"),
		files("kernels", "argsort.go", "order.go", "tau.go", "work.go")...), []string{"./internal/order", "./kernels"},
		"^TestCountTau|^TestTriples|^TestColumnRanks|^TestArgsort|^TestOrder|^TestArguments|^TestDepth|^TestCrowd"},
	{"pair", files("kernels", "kernels_pair_*", "pair*.go", "pair_*.h"),
		[]string{"./kernels"}, table("Pair|pair|Exp") + "|^TestPair|^TestExp"},
	{"order", files("internal/order", "kernels_order_*", "order.go", "pivot.go", "quick.go", "uint128.go", "keys_*.h",
		"neon_*.h", "sort_*.h"), []string{"./internal/order"}, ""},
	{"topk", files("internal/order", "kernels_topk_*", "topk.go", "grades.go", "sort32_*.h"),
		[]string{"./internal/order"}, ""},
	{"lambda", files("internal/trees", "kernels_lambda_*", "lambda.go", "lambda_*.h"),
		[]string{"./internal/trees"}, table("Lambda") + "|^TestLambda|^TestSum"},
	{"tree", files("internal/trees", "kernels_tree_*", "tree.go", "neon_*.h"),
		[]string{"./internal/trees"}, table("Histogram|Sum|Sub|Best|Partition|Bin|Interleave|SortF32") +
			"|^TestGradHess|^TestTree"},
	{"forest", files("internal/trees", "kernels_forest_*", "forest.go", "transpose_*.h", "leaves_*.h"),
		[]string{"./internal/trees"}, table("Forest") + "|^TestForest"},
	{"requests", files("internal/trees", "kernels_request_*", "request.go"),
		[]string{"./internal/trees"}, table("Rank|Walk|Pack") + "|^Test(Rank|Walk|Request)"},
	{"kern", files("internal/kern", "contracts.go", "lanes.go", "tables.go"),
		[]string{"./kernels", "./vectors", "./internal/order", "./internal/trees"}, ""},
	{"rank", files("rank", "*.go"), []string{"./rank"}, ""},
	{"pairwise", files("rank/pairwise", "*.go"), []string{"./rank/pairwise"}, ""},
	{"ranksvm", files("internal/ranksvm", "*.go"), []string{"./internal/ranksvm", "./rank"}, ""},
	{"metrics", files("internal/metrics", "*.go"), []string{"./internal/metrics", "./rank"}, ""},
	{"num", files("internal/num", "exact.go"), []string{"./internal/num"}, ""},
	{"data", files("rank/data", "*.go"), []string{"./rank/data", "./parquet"}, ""},
	{"datafile", files("rank/datafile", "*.go"), []string{"./rank/datafile"}, ""},
	{"trec", files("rank/trec", "*.go"), []string{"./rank/trec", "./rank/trec/treceval"}, ""},
	{"fusion", files("rank/fusion", "*.go"), []string{"./rank/fusion"}, ""},
	{"treceval", files("rank/trec/treceval", "*.go"), []string{"./rank/trec/treceval"}, ""},
	{"text", files("internal/text", "*.go"),
		[]string{"./internal/text", "./rank/data", "./rank/trec"}, ""},
	{"parquet", files("parquet", "*.go"), []string{"./parquet"}, ""},
	{"report", files("report", "*.go"), []string{"./report"}, ""},
	{"files", files("internal/files", "*.go"), []string{"./internal/files"}, ""},
	{"modelfile", files("internal/modelfile", "*.go"),
		[]string{"./internal/modelfile", "./rank/model", "./rank/lambdamart"}, ""},
	{"model", files("rank/model", "*.go"), []string{"./rank/model"}, ""},
	{"serve", files("rank/serve", "*.go"), []string{"./rank/serve"}, ""},
	{"cli", files("internal/cli", "*.go"), []string{"./internal/cli"}, ""},
	{"memory", files("internal/memory", "*.go"), []string{"./internal/memory", "./rank/datafile"}, ""},
	{"compare", files("rank/compare", "*.go"), []string{"./rank/compare"}, ""},
	{"interleave", files("rank/interleave", "*.go"), []string{"./rank/interleave"}, ""},
	{"counterfactual", files("rank/counterfactual", "*.go"), []string{"./rank/counterfactual"}, ""},
	{"explain", files("rank/explain", "*.go"), []string{"./rank/explain"}, ""},
	{"importance", files("rank/importance", "*.go"), []string{"./rank/importance"}, ""},
	{"tune", files("rank/tune", "*.go"), []string{"./rank/tune"}, ""},
	{"nearest", files("nearest", "*.go"), []string{"./nearest"}, ""},
	{"vectorfile", files("nearest/vectorfile", "*.go"), []string{"./nearest/vectorfile"}, ""},
	{"boost", files("internal/boost", "*.go"),
		[]string{"./internal/boost", "./rank/lambdamart", "./internal/sharded"}, ""},
	{"lambdamart", files("rank/lambdamart", "*.go"), []string{"./rank/lambdamart"}, ""},
	{"sharded", files("internal/sharded", "*.go"), []string{"./internal/sharded"}, ""},
}

// familyNames returns the names of all families.
func familyNames() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// called reports whether a name selects the family: its own name, or DIR/... for all families with
// files in a directory.
func (f family) called(name string) bool {
	dir, below := strings.CutSuffix(name, "...")
	return name == f.name || below && slices.ContainsFunc(f.files,
		func(pattern string) bool { return strings.HasPrefix(pattern, dir) })
}

// files returns patterns for files in a directory.
func files(dir string, patterns ...string) []string {
	for i, p := range patterns {
		patterns[i] = filepath.Join(dir, p)
	}
	return patterns
}

// table returns a -test.run pattern for kernels in the test table with one of the prefixes.
func table(prefixes string) string { return "^TestTable(Cases|Places)?$/^(" + prefixes + ")" }

// A tier describes how mutants of its files are built and run.
type tier struct {
	name, arch string
	run        []string // the emulator
	ends       []string // suffixes of its files
}

// tiers lists the tiers. Plain Go code runs on the generic tier. Code that chooses the assembly of
// an architecture runs on each of its tiers.
var tiers = []tier{
	{"generic", "amd64", nil, []string{".go"}},
	{"avx2", "amd64", nil, []string{"_amd64.s", "_amd64.h", "_amd64.go"}},
	{"avx512", "amd64", nil, []string{"_avx512_amd64.s", "_avx512_amd64.h", "_amd64.go"}},
	{"neon", "arm64", []string{"qemu-aarch64-static"}, []string{"_arm64.s", "_arm64.h", "_arm64.go"}},
}

// notBuilt lists suffixes of files that are not mutated. No tier builds them, they only call the
// reference, or they contain only measured values, advice to the operating system, or constants of
// approximations, which golden values test only in part.
var notBuilt = []string{"_test.go", "_noasm.go", "_noneon.go", "race.go", "doc.go", "tuning.go", "tuning_amd64.go",
	"hugepages.go", "_linux.go", "_other.go", "_windows.go",
	"num/portable.go", "num/rounded.go", "num/tails.go", "num/random.go", "num/pcg.go"}

// runs reports whether the tier runs the code of a file.
func (t tier) runs(file string) bool {
	switch hasEnd := func(end string) bool { return strings.HasSuffix(file, end) }; {
	case slices.ContainsFunc(notBuilt, hasEnd):
		return false
	case t.name == "generic":
		return hasEnd(".go") && !hasEnd("_amd64.go") && !hasEnd("_arm64.go")
	case t.name == "avx2" && strings.Contains(file, "_avx512_"):
		return false
	default:
		return slices.ContainsFunc(t.ends, hasEnd)
	}
}

// A target is a file to mutate, with its family and tier.
type target struct {
	path   string // below the root
	family *family
	tier   *tier
}

// targets returns the files of the given families that run on the given tiers.
func targets(root string, familyNames, tierNames []string) ([]target, error) {
	for _, name := range familyNames {
		if !slices.ContainsFunc(families, func(f family) bool { return f.called(name) }) {
			return nil, fmt.Errorf("unknown family %q", name)
		}
	}
	var found []target
	for _, name := range tierNames {
		t := slices.IndexFunc(tiers, func(t tier) bool { return t.name == name })
		if t < 0 {
			return nil, fmt.Errorf("unknown tier %q", name)
		}
		for f := range families {
			if !slices.ContainsFunc(familyNames, families[f].called) {
				continue
			}
			for _, pattern := range families[f].files {
				paths, err := filepath.Glob(filepath.Join(root, pattern))
				if err != nil {
					return nil, err
				}
				for _, path := range paths {
					if rel, err := filepath.Rel(root, path); err != nil {
						return nil, err
					} else if tiers[t].runs(rel) {
						found = append(found, target{rel, &families[f], &tiers[t]})
					}
				}
			}
		}
	}
	return found, nil
}
