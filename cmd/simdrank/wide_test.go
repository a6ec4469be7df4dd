package main

import (
	"runtime"
	"strings"
	"testing"
)

// TestWide uses a few rows with the highest feature index. Memory is in proportion to the values,
// except for the weights of linear models, for tables of scorers, for a byte per feature that
// records whether the feature was missing, and for files that list all features.
func TestWide(t *testing.T) {
	if testing.Short() {
		t.Skip("linear models have 16,777,216 weights")
	}
	t.Chdir(t.TempDir())
	data := writeTemp(t, "wide.txt", "1 qid:1 1:1 16777216:1\n0 qid:1 1:0.5 16777216:2\n1 qid:2 1:2 16777216:0.5\n"+
		"0 qid:2 1:1\n1 qid:3 1:3 16777216:3\n0 qid:3 1:1 16777216:1\n")
	const weights = 134 << 20 // of a linear model
	for _, c := range []struct {
		args string
		most uint64 // bytes
	}{
		{"train -d DATA --model lambdamart --min-rows 1 --trees 20 -o trees.json", 48 << 20},
		{"train -d DATA --model lambdamart --min-rows 1 --trees 20 --zero-missing -o zeros.json", 320 << 20}, // 140 MB
		{"refit -m trees.json -d DATA -o refitted.json", 112 << 20},
		{"predict -m trees.json -d DATA", 112 << 20},
		{"tune -d DATA --model lambdamart --min-rows 1 --trees 20 --trials 2 --cv 3", 320 << 20},
		{"info -d DATA", 160 << 20},
		{"convert -i trees.json --to lightgbm -o lightgbm.txt", 32 << 20},             // 341 MB
		{"convert -i trees.json --to lightgbm-dump -o lightgbm.json", 32 << 20},       // 291 MB
		{"predict -m trees.json -d DATA --contributions -o contributions", 320 << 20}, // 201 MB
		{"explain -m trees.json -d DATA --query 1", 224 << 20},
		{"report -m trees.json -d DATA -o report.html", 480 << 20},
		{"train -d DATA --model ridge -o ridge.json", 3 * weights},
		{"explain -m ridge.json -d DATA --query 1", 3 * weights},
		{"train -d DATA -o svm.json", 3 * weights},
		{"train -d DATA --c-path auto --cv 2 -o path.json", 4 * weights},
	} {
		t.Run(c.args, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			succeed(t, "", strings.Fields(strings.ReplaceAll(c.args, "DATA", data))...)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > c.most {
				t.Errorf("allocated %d MB, at most %d MB are expected", n>>20, c.most>>20)
			} else {
				t.Logf("allocated %d MB", n>>20)
			}
		})
	}
}
