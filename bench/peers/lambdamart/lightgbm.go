package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/model"
)

// A lightgbm is LightGBM's command line program, which the environment variable LIGHTGBM names (no
// registry has it), and our command. Both read the same files: features are counted from 0, and
// queries are in a file of their sizes.
type lightgbm struct {
	peer.Rival
	dir string
}

func (l *lightgbm) path(name string) string { return filepath.Join(l.dir, name) }

// compare prints the rows of a problem: training alone, where fit is ours, and the commands from
// text to model and from text to scores.
func (l *lightgbm) compare(ctx context.Context, t *peer.Table, p problem, train, test *rank.Dataset,
	fit func(threads int) float64) {
	if l.Program != "" {
		write(l.path("train.svm"), train, 32)
		write(l.path("test.svm"), test, 32)
		// It loads what it has sorted into bins, so that only training is left to do. It would do
		// so unasked if it were called train.svm.bin.
		l.train(ctx, p, "train.svm", 1, "num_trees=1", "save_binary=true")
		peer.Check(os.Rename(l.path("train.svm.bin"), l.path("binned")))
	}
	row := func(r peer.Row) {
		r.What = p.name + ": " + r.What
		if l.Program == "" {
			t.NotHere(r.What, l.Variable)
		} else {
			t.Compare(r)
		}
	}
	for i, threads := range []int{1, 2} {
		if threads > runtime.NumCPU() {
			break
		}
		row(peer.Row{
			What:   fmt.Sprintf("%d trees of %d leaves, %dT: LightGBM", p.trees, p.leaves, threads),
			Target: p.lightgbm[i],
			Ours:   func() float64 { return fit(threads) },
			Peer:   func() float64 { return l.train(ctx, p, "binned", threads) },
		})
	}
	if p.generic > 0 {
		row(peer.Row{
			What: "generic tier, 1T: LightGBM", Target: p.generic,
			Ours: func() float64 { defer cpu.Force(cpu.Generic)(); return fit(1) },
			Peer: func() float64 { return l.train(ctx, p, "binned", 1) },
		})
	}
	if !p.commands {
		return
	}
	for _, threads := range []int{1, 2} {
		if threads > runtime.NumCPU() {
			break
		}
		row(peer.Row{
			What: fmt.Sprintf("train command, %dT: LightGBM", threads), Target: targetCommand,
			Ours: func() float64 {
				return l.our(ctx, threads, "train", "--model", "lambdamart", "-d", l.path("train.svm"), "--zero-based",
					"--trees", strconv.Itoa(p.trees),
					"--leaves", strconv.Itoa(p.leaves), "--learning-rate", fmt.Sprint(learningRate), "--bins",
					strconv.Itoa(bins), "-o", l.path("ours.json"))
			},
			Peer: func() float64 {
				took, _ := peer.Run(ctx, nil, l.Program, l.arguments(p, "train.svm", threads)...)
				return took
			},
		})
	}
	for _, threads := range []int{1, 2} {
		if threads > runtime.NumCPU() {
			break
		}
		row(peer.Row{
			What:   fmt.Sprintf("predict command, %d documents, %dT: LightGBM", test.Rows(), threads),
			Target: targetCommand,
			Ours: func() float64 {
				return l.our(ctx, threads, "predict", "-m", l.path("model"), "-d", l.path("test.svm"), "--zero-based",
					"-o", l.path("ours.txt"))
			},
			Peer: func() float64 { return l.predict(ctx, threads) },
		})
	}
}

// our times our command.
func (l *lightgbm) our(ctx context.Context, threads int, args ...string) float64 {
	took, _ := peer.Run(ctx, []string{fmt.Sprintf("GOMAXPROCS=%d", threads)}, l.Command, args...)
	return took
}

func (l *lightgbm) arguments(p problem, data string, threads int) []string {
	return []string{"task=train", "objective=lambdarank", "data=" + l.path(data), "output_model=" + l.path("model"),
		fmt.Sprintf("num_trees=%d", p.trees), fmt.Sprintf("num_leaves=%d", p.leaves),
		fmt.Sprintf("learning_rate=%g", learningRate),
		fmt.Sprintf("max_bin=%d", bins), fmt.Sprintf("num_threads=%d", threads)}
}

// train writes a model and returns the seconds that the peer says it spent on the trees, loading
// data apart. Of parameters given twice it takes the first.
func (l *lightgbm) train(ctx context.Context, p problem, data string, threads int, more ...string) float64 {
	_, out := peer.Run(ctx, nil, l.Program, append(more, l.arguments(p, data, threads)...)...)
	took := math.NaN()
	for line := range strings.Lines(string(out)) {
		if before, _, ok := strings.Cut(line, " seconds elapsed, finished iteration "); ok {
			took = peer.Must(strconv.ParseFloat(before[strings.LastIndexByte(before, ' ')+1:], 64))
		}
	}
	if math.IsNaN(took) {
		panic(fmt.Errorf("LightGBM does not say how long it took:\n%s", out))
	}
	return took
}

// predict writes the scores of the test documents by the model of the last training.
func (l *lightgbm) predict(ctx context.Context, threads int) float64 {
	took, _ := peer.Run(ctx, nil, l.Program, "task=predict", "predict_raw_score=true", "data="+l.path("test.svm"),
		"input_model="+l.path("model"), "output_result="+l.path("scores.txt"), fmt.Sprintf("num_threads=%d", threads))
	return took
}

// score trains on a set and returns the scores of test documents by its model, which must be the
// same here and there. The peer reads float64, so the documents have all their digits: the shortest
// that make the float32 may be on the other side of a threshold.
func (l *lightgbm) score(ctx context.Context, p problem, train, test *rank.Dataset) []float64 {
	write(l.path("train.svm"), train, 32)
	write(l.path("test.svm"), test, 64)
	l.train(ctx, p, "train.svm", runtime.NumCPU())
	l.predict(ctx, runtime.NumCPU())
	m := peer.Must(model.Load(l.path("model")))
	scores := make([]float64, test.Rows())
	peer.Check(m.ScoreInto(ctx, scores, test))
	text := peer.Must(os.ReadFile(l.path("scores.txt")))
	theirs := strings.Fields(string(text))
	if len(theirs) != len(scores) {
		panic(fmt.Errorf("LightGBM gives %d scores for %d documents", len(theirs), len(scores)))
	}
	for i, s := range scores {
		if v, err := strconv.ParseFloat(theirs[i], 64); err != nil || math.Abs(s-v) > 1e-12*max(1, math.Abs(s)) {
			panic(fmt.Errorf("LightGBM's model gives row %d the score %v here and %s there", i, s, theirs[i]))
		}
	}
	return scores
}

// write writes a set as text, with the digits that features take as floats of so many bits, and the
// sizes of its queries beside it.
func write(path string, d *rank.Dataset, bits int) {
	f := peer.Must(os.Create(path))
	w := bufio.NewWriter(f)
	var line []byte
	for i := range d.Rows() {
		line = strconv.AppendFloat(line[:0], d.Labels[i], 'g', -1, 64)
		for j, v := range d.Row(i) {
			if v != 0 || i == 0 && j == d.Cols-1 { // the first row tells how many there are
				line = append(strconv.AppendInt(append(line, ' '), int64(j), 10), ':')
				line = strconv.AppendFloat(line, float64(v), 'g', -1, bits)
			}
		}
		w.Write(append(line, '\n'))
	}
	peer.Check(errors.Join(w.Flush(), f.Close()))
	var sizes strings.Builder
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		fmt.Fprintln(&sizes, hi-lo)
	}
	peer.Check(os.WriteFile(path+".query", []byte(sizes.String()), 0o600))
}
