package cli

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Each flag sets a field of its own, and has the default that the commands' help shows.
func TestDefine(t *testing.T) {
	var f TreesFlags
	var m rank.RankSVM
	o := lambdamart.DefaultTrainer()
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	DefineSVM(flags, &m)
	f.Define(flags, o, ObjectiveFlags, BoostingFlags, GrowingFlags, SampleFlags, FeatureFlags)
	if usage := flags.Lookup("decay").Usage; usage != "YetiRank: weight `ratio` of adjacent ranks" {
		t.Errorf("--decay: %q", usage)
	}
	var defaults []string
	n := 1
	flags.VisitAll(func(g *flag.Flag) {
		defaults = append(defaults, g.Name+"="+g.DefValue)
		n++
		value := fmt.Sprint(n)
		if g.DefValue == "false" {
			value = "true"
		}
		if err := g.Value.Set(value); err != nil {
			t.Errorf("--%s %s: %v", g.Name, value, err)
		}
	})
	if got, want := strings.Join(defaults, " "), "bins=255 cat-l2=10 cat-rows=100 cat-smooth=10 categorical= decay=0.85 "+
		"early-stopping=0 extra-trees=false feature-fraction=1 interactions= l1=0 l2=0 label-gain= learning-rate=0.1 "+
		"max-categories=32 max-delta-step=0 max-passes=10000 mean-pairs=0 min-gain=0 min-hessian=0.001 min-rows=20 "+
		"monotone= no-norm=false node-fraction=1 one-hot=4 path-smooth=0 per-query=false permutations=10 "+
		"query-fraction=1 row-fraction=1 seed=0 sigmoid=1 standardize=false tol=1e-06 trees=100 truncation=30 "+
		"zero-missing=false"; got != want {
		t.Errorf("defaults %s, want %s", got, want)
	}
	if want := (TreesFlags{Categorical: "6", Interactions: "11", LabelGain: "14", Monotone: "23"}); f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
	if !m.PerQuery || !m.Standardize || m.MaxPasses != 18 || m.Tol != 35 {
		t.Errorf("got %+v", m)
	}
	want := testkit.With(lambdamart.DefaultTrainer(), lambdamart.Trainer{Bins: 2, CategoryL2: 3, CategoryRows: 4,
		CategorySmooth: 5, Decay: 7, EarlyStopping: 8,
		ExtraTrees: true, FeatureFraction: 10, L1: 12, L2: 13, LearningRate: 15, MaxCategories: 16, MaxDeltaStep: 17,
		MeanPairs: 19, MinGain: 20, MinHessian: 21, MinRows: 22, NoNorm: true, NodeFeatureFraction: 25, OneHot: 26,
		PathSmooth: 27, Permutations: 29, QueryFraction: 30, RowFraction: 31, Seed: 32, Sigmoid: 33, Trees: 36,
		Truncation: 37, ZeroMissing: true})
	if got := fmt.Sprintf("%+v", o); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got %s, want %+v", got, want)
	}
}
