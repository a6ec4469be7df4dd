// Command metrics compares NDCG on each tier and one thread with numpy, xgboost and scikit-learn on
// the same arrays, and a randomization test with numpy. It checks that the values agree. It also
// compares simdrank's command on a TREC run with pytrec_eval, ir_measures, ranx and, if the
// environment variable TREC_EVAL is its path, trec_eval.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// A set contains n documents for each query, with labels from 0 to 4 and normally distributed
// float32 scores. The scores of a query are distinct.
type set struct {
	name       string
	queries, n int
	labels     []uint8
	scores     []float32
}

// A comparison is a set, a rank cut-off (0: none) and the package of a peer.
type comparison struct {
	set  string
	k    int
	peer string
}

var comparisons = []comparison{
	{"a", 10, "numpy"}, {"a", 10, "xgboost"}, {"a", 10, "sklearn"}, {"a", 0, "numpy"}, {"a", 0, "xgboost"},
	{"b", 10, "numpy"}, {"b", 0, "numpy"}, {"c", 10, "numpy"}, {"c", 0, "numpy"},
}

var names = map[string]string{"numpy": "NumPy", "xgboost": "XGBoost", "sklearn": "scikit-learn"}

func main() { peer.Main("metrics", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "metrics"))
	defer os.RemoveAll(dir)
	t.Heading("case", "ours", "peer")
	if t.Growth {
		growth(ctx, t, dir)
		return
	}
	trecRows(ctx, t, dir)
	processes := map[string]*peer.Process{}
	for pkg := range names {
		processes[pkg] = peer.Python(ctx, "bench/peers/metrics/peer.py")
		defer processes[pkg].Close()
	}
	randomizationRows(t, processes["numpy"], dir)
	sets := []set{{name: "a", queries: 10_000, n: 120}, {name: "b", queries: 1000, n: 1000},
		{name: "c", queries: 1, n: 1_000_000}}
	if t.Quick {
		sets[0].queries = 1500
		sets[1].queries = 100
	}
	for _, s := range sets {
		s.fill()
		s.write(dir)
		for _, p := range processes {
			p.Call("load %s %d %d", dir, s.queries, s.n)
		}
		for _, c := range comparisons {
			if c.set != s.name {
				continue
			}
			for _, tier := range cpu.Available() {
				compareNDCG(t, processes[c.peer], &s, c, tier)
			}
		}
	}
}

// randomizationRows times a randomization test, and compares two threads with one.
func randomizationRows(t *peer.Table, python *peer.Process, dir string) {
	const queries = 10_000
	rounds := 100_000
	if t.Quick {
		rounds = 40_000
	}
	rng := rand.New(rand.NewPCG(3, 4))
	d, zeros := make([]float64, queries), make([]float64, queries)
	for i := range d {
		d[i] = 0.002 + 0.2*rng.NormFloat64()
	}
	writeFloats(filepath.Join(dir, "differences"), d)
	python.Call("differences %s", dir)
	var p float64
	ours := func(threads int) func() float64 {
		return func() float64 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			return peer.Time(20*time.Millisecond, func() {
				p = peer.Must(compare.Values(context.Background(), [][]float64{zeros, d},
					compare.Options{Interval: "student", Rounds: rounds, Seed: 1}))[1][0].P
			})
		}
	}
	program := python.Program("NumPy", "numpy")
	for _, c := range []struct{ kind, what string }{{"signs", "a sign matrix"}, {"bits", "unpacked bits"}} {
		t.Compare(peer.Row{
			What: fmt.Sprintf("randomization test, %d queries × %dk rounds, against %s", queries, rounds/1000,
				c.what),
			Program: program, Ours: ours(1),
			Peer: func() float64 {
				theirs := python.Floats("%s %d", c.kind, rounds)
				if off := math.Abs(theirs[1] - p); off > 6*math.Sqrt(2*p*(1-p)/float64(rounds)) {
					panic(fmt.Errorf("the p-value is %v in simdrank and %v in the peer", p, theirs[1]))
				}
				return theirs[0]
			}})
	}
	if runtime.NumCPU() > 1 {
		t.Compare(peer.Row{What: "randomization test, 2T: 1T", Target: 1.8, Ours: ours(2), Peer: ours(1)})
	}
}

func writeFloats(path string, values []float64) {
	var bytes []byte
	for _, v := range values {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
	}
	peer.Check(os.WriteFile(path, bytes, 0o600))
}

func (s *set) fill() {
	rng := rand.New(rand.NewPCG(uint64(s.queries), uint64(s.n)))
	s.labels, s.scores = make([]uint8, s.queries*s.n), make([]float32, s.queries*s.n)
	for q := range s.queries {
		labels, scores := s.labels[q*s.n:][:s.n], s.scores[q*s.n:][:s.n]
		for i, p := range rng.Perm(s.n) {
			labels[i] = uint8(rng.IntN(5))
			scores[i] = float32(math.Erfinv(2*(float64(p)+.5)/float64(s.n) - 1))
		}
	}
}

func (s *set) write(dir string) {
	peer.Check(os.WriteFile(filepath.Join(dir, "labels"), s.labels, 0o600))
	bytes := make([]byte, 0, 4*len(s.scores))
	for _, v := range s.scores {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
	}
	peer.Check(os.WriteFile(filepath.Join(dir, "scores"), bytes, 0o600))
}

// compareNDCG checks that the means of both sides agree, and times them.
func compareNDCG(t *peer.Table, python *peer.Process, s *set, c comparison, tier cpu.Tier) {
	defer cpu.Force(tier)()
	name, preset := "ndcg", "xgboost"
	if c.k > 0 {
		name = fmt.Sprintf("ndcg@%d", c.k)
	}
	if c.peer == "sklearn" {
		preset = "sklearn"
	}
	e := peer.Must(rank.NewEvaluator(name, rank.Options{Preset: preset}))
	var value [1]float64
	var mean float64
	evaluate := func() {
		sum := 0.0
		for lo := 0; lo < len(s.labels); lo += s.n {
			peer.Must(e.AppendValuesOfGrades(value[:0], s.labels[lo:lo+s.n], s.scores[lo:lo+s.n]))
			sum += value[0]
		}
		mean = sum / float64(s.queries)
	}
	evaluate()
	theirs := python.Floats("%s %d", c.peer, c.k)
	what := fmt.Sprintf("%s, %d × %d", strings.ToUpper(name), s.queries, s.n)
	if len(theirs) != 2 || math.Abs(theirs[1]-mean) > 1e-12 {
		panic(fmt.Errorf("%s, %v: the mean is %.17g in simdrank and %v in %s", what, tier, mean, theirs[1:], c.peer))
	}
	t.Compare(peer.Row{
		What: what, Program: python.Program(names[c.peer], c.peer),
		Ours: func() float64 { return peer.Time(20*time.Millisecond, evaluate) },
		Peer: func() float64 { return python.Seconds("%s %d", c.peer, c.k) },
	})
}
