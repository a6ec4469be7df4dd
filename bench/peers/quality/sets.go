package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A set is a ranking problem. Each seed has other test queries: it selects a fold of real data, and
// generates synthetic data.
type set struct {
	name string
	load func(seed uint64) (train, test *rank.Dataset)
}

func sets() []set {
	return []set{
		{"MQ2008 Fold1", folds("mq2008-fold1/train.txt.gz", "mq2008-fold1/vali.txt.gz", "mq2008-fold1/test.txt.gz")},
		{"LightGBM's example", folds("lightgbm-lambdarank/train.txt.gz", "lightgbm-lambdarank/test.txt.gz")},
		{"ClueWeb09", folds("clueweb09-webis/S1.txt.gz", "clueweb09-webis/S2.txt.gz", "clueweb09-webis/S3.txt.gz")},
		generated("linear, 136 features", synth.Config{Rows: 20_000, Cols: 136}),
		generated("linear, little noise", synth.Config{Rows: 20_000, Cols: 46, Noise: 0.3}),
		generated("curved", synth.Config{Rows: 20_000, Cols: 46, Curved: true}),
		generated("short lists", synth.Config{Rows: 20_000, Cols: 46, MinDocs: 3, MaxDocs: 12}),
		generated("long lists", synth.Config{Rows: 20_000, Cols: 46, MinDocs: 300, MaxDocs: 600}),
		generated("few nonzero features", synth.Config{Rows: 20_000, Cols: 300, Density: 0.05}),
	}
}

// generated returns a set that each seed generates anew.
func generated(name string, c synth.Config) set {
	return set{name, func(seed uint64) (train, test *rank.Dataset) {
		c := c
		c.Seed = seed + 1
		train = c.Dataset()
		c.Part, c.Rows = 1, c.Rows/2
		return train, c.Dataset()
	}}
}

// folds returns a function that splits the queries of files into folds: every fifth query is in the
// test set. It returns nil if a file does not exist.
func folds(files ...string) func(seed uint64) (train, test *rank.Dataset) {
	return func(seed uint64) (train, test *rank.Dataset) {
		var parts []*rank.Dataset
		for _, f := range files {
			d := peer.LoadShared(f)
			if d == nil {
				return nil, nil
			}
			parts = append(parts, d)
		}
		all := rank.Concat(parts...).ToDense()
		var in, out []int
		for q := range all.Queries() {
			if uint64(q)%seeds == seed {
				out = append(out, q)
			} else {
				in = append(in, q)
			}
		}
		return peer.Must(all.SubsetQueries(in)), peer.Must(all.SubsetQueries(out))
	}
}

// A system trains on a set and returns the scores of the test documents and the seconds of
// training.
type system struct {
	name   string
	scores func(ctx context.Context, train, test *rank.Dataset, seed uint64) ([]float64, float64, error)
}

// systems returns simdrank's objectives, settings of the objective ndcg, and the peers. The first
// one is the system that the others are compared with.
func systems() []system {
	var list []system
	for o := lambdamart.NDCG; o <= lambdamart.Regression; o++ {
		list = append(list, ours(o.String(), func(t *lambdamart.Trainer) { t.Objective = o }))
	}
	for _, k := range []int{10, 100} {
		list = append(list, ours(fmt.Sprintf("ndcg, truncation %d", k),
			func(t *lambdamart.Trainer) { t.Truncation = k }))
	}
	list = append(list, ours("ndcg, sigmoid 2", func(t *lambdamart.Trainer) { t.Sigmoid = 2 }),
		ours("ndcg, without normalization", func(t *lambdamart.Trainer) { t.NoNorm = true }))
	for _, n := range []int{1, 8} {
		list = append(list, ours(fmt.Sprintf("ndcg, mean pairs %d", n),
			func(t *lambdamart.Trainer) { t.MeanPairs = n }))
	}
	return append(list, other("XGBoost, rank:ndcg", "xgboost", "rank:ndcg"),
		other("LightGBM, lambdarank", "lightgbm", "lambdarank"),
		other("CatBoost, YetiRank", "catboost", "YetiRank"), other("CatBoost, QueryRMSE", "catboost", "QueryRMSE"))
}

// other returns a system that trains with a peer on one thread, with the peer's defaults.
func other(name, pkg, objective string) system {
	return system{name, func(ctx context.Context, train, test *rank.Dataset, seed uint64) (scores []float64,
		seconds float64, err error) {
		err = peer.Catch(func() {
			dir := peer.Must(os.MkdirTemp("", "quality"))
			defer os.RemoveAll(dir)
			p := peer.Python(ctx, "bench/peers/lambdamart/peer.py", pkg)
			defer p.Close()
			for name, d := range map[string]*rank.Dataset{"train": train, "test": test} {
				path := filepath.Join(dir, name)
				peer.WriteSet(path, d)
				p.Call("load %s %s %d %d %d", name, path, d.Rows(), d.Cols, d.Queries())
			}
			seconds = p.Seconds("bin 255 1")
			seconds += p.Seconds("train %s %d %d %g %d 1", objective, trees, leaves, learningRate, seed+1)
			path := filepath.Join(dir, "scores")
			p.Call("predict %s", path)
			scores = peer.ReadFloats(path, test.Rows())
		})
		return scores, seconds, err
	}}
}
