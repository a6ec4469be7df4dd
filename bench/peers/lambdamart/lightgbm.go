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

// A lightgbm is LightGBM's command, together with simdrank's. LightGBM's command is not packaged,
// so the environment variable LIGHTGBM contains its path. Both read the same files with features
// numbered from 0 and a file of query sizes.
type lightgbm struct {
	peer.Rival
	dir string
}

func (l *lightgbm) path(name string) string { return filepath.Join(l.dir, name) }

// compare prints the rows of a problem: training, for which fit is simdrank's, and the commands
// from text to model and from text to scores.
func (l *lightgbm) compare(ctx context.Context, t *peer.Table, p problem, train, test *rank.Dataset,
	fit func(threads int) float64) {
	if l.Program != "" {
		write(l.path("train.svm"), train, 32)
		write(l.path("test.svm"), test, 32)
		// LightGBM loads its binned data, so that it only trains. If the file were named
		// train.svm.bin, it would always do so.
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

// our times simdrank's command.
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

// train writes a model and returns the time that LightGBM reports for the trees, without loading
// data. If a parameter is given twice, LightGBM uses the first one.
func (l *lightgbm) train(ctx context.Context, p problem, data string, threads int, more ...string) float64 {
	_, out := peer.Run(ctx, nil, l.Program, append(more, l.arguments(p, data, threads)...)...)
	took := math.NaN()
	for line := range strings.Lines(string(out)) {
		if before, _, ok := strings.Cut(line, " seconds elapsed, finished iteration "); ok {
			took = peer.Must(strconv.ParseFloat(before[strings.LastIndexByte(before, ' ')+1:], 64))
		}
	}
	if math.IsNaN(took) {
		panic(fmt.Errorf("the output of LightGBM contains no training time:\n%s", out))
	}
	return took
}

// predict scores the test documents with the model of the last training.
func (l *lightgbm) predict(ctx context.Context, threads int) float64 {
	took, _ := peer.Run(ctx, nil, l.Program, "task=predict", "predict_raw_score=true", "data="+l.path("test.svm"),
		"input_model="+l.path("model"), "output_result="+l.path("scores.txt"), fmt.Sprintf("num_threads=%d", threads))
	return took
}

// score trains on a set and returns the scores of the test documents, which must be the same in
// LightGBM and simdrank. LightGBM reads float64, so documents are written with all digits. The
// shortest digits of a float32 may be on the other side of a threshold.
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
		panic(fmt.Errorf("LightGBM returned %d scores for %d documents", len(theirs), len(scores)))
	}
	for i, s := range scores {
		if v, err := strconv.ParseFloat(theirs[i], 64); err != nil || math.Abs(s-v) > 1e-12*max(1, math.Abs(s)) {
			panic(fmt.Errorf("LightGBM's model: row %d has score %v in simdrank and %s in LightGBM", i, s, theirs[i]))
		}
	}
	return scores
}

// write writes a set as text, and a file of its query sizes. Features have the digits of floats
// with the given number of bits.
func write(path string, d *rank.Dataset, bits int) {
	f := peer.Must(os.Create(path))
	w := bufio.NewWriter(f)
	var line []byte
	for i := range d.Rows() {
		line = strconv.AppendFloat(line[:0], d.Labels[i], 'g', -1, 64)
		for j, v := range d.Row(i) {
			if v != 0 || i == 0 && j == d.Cols-1 { // the first row determines the number of features
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
