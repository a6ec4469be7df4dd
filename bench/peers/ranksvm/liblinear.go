package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/model"
)

// targetCommand is the minimum ratio of the commands' times, from text to model.
const targetCommand = 2

// A liblinear is the program train of liblinear-ranksvm. It is not packaged, so the environment
// variable LIBLINEAR_RANKSVM contains its path.
type liblinear struct {
	peer.Rival
	dir string
}

// compare prints two rows for a set: one for training, and one for the commands from text to model.
//
// The peer does not report its training time. The row uses the first tolerance of a series for
// which its objective is within 1e-6 of the minimum. From the time of that run, it subtracts the
// time of a run that stops before its first step. Both runs include reading and the first gradient.
func (l *liblinear) compare(ctx context.Context, t *peer.Table, s set, least float64) {
	defer peer.Within("%s", s.name)
	training := fmt.Sprintf("RankSVM, %s, C = %g", s.name, s.c)
	command := training + ", whole command"
	if l.Program == "" {
		t.NotHere(training, l.Variable)
		t.NotHere(command, l.Variable)
		return
	}
	data := filepath.Join(l.dir, "train.txt")
	l.write(data, s.d)
	defer os.Remove(data)
	patience := 30 * time.Second
	if t.Quick {
		patience = 5 * time.Second
	}
	tol, took := l.tolerance(ctx, s, data, least, patience)
	rounds := t.Rounds
	if took > 2 {
		rounds = 3
	}
	if took > 20 || took > 2 && t.Quick {
		rounds = 1
	}
	var fits, trainings, ours, theirs []float64
	for range rounds {
		our, _ := peer.Run(ctx, []string{"GOMAXPROCS=1"}, l.Command, "train", "-d", data, "--c", fmt.Sprint(s.c),
			"--threads", "1",
			"-o", filepath.Join(l.dir, "ours.json"))
		whole := l.run(ctx, s.c, tol, data)
		fits = append(fits, train(ctx, rank.RankSVM{C: s.c, Threads: 1}, s.d, nil))
		trainings = append(trainings, whole-l.run(ctx, s.c, 1e9, data))
		ours, theirs = append(ours, our), append(theirs, whole)
	}
	program := peer.Program{Peer: "liblinear-ranksvm", Version: "from source", Kernels: "not reported"}
	t.Result(peer.Row{What: training, Program: program, Target: s.training}, fits, trainings)
	t.Result(peer.Row{What: command, Program: program, Target: targetCommand}, ours, theirs)
}

// run trains to a tolerance and returns the duration of the process in seconds.
func (l *liblinear) run(ctx context.Context, c, tol float64, data string) float64 {
	took, _ := peer.Run(ctx, nil, l.Program, "-s", "8", "-c", fmt.Sprint(c), "-e", fmt.Sprint(tol), data,
		filepath.Join(l.dir, "model"))
	return took
}

// tolerance returns the largest of 0.001 (the peer's default), 0.0003, 0.0001 and so on, for which
// the peer's objective is within 1e-6 of the minimum, and the time in seconds. It gives up when the
// runs have taken as long as patience.
func (l *liblinear) tolerance(ctx context.Context, s set, data string, least float64,
	patience time.Duration) (tol, took float64) {
	start := time.Now()
	for k := range 12 {
		tol = []float64{1e-3, 3e-4}[k%2] * math.Pow(10, -float64(k/2))
		took = l.run(ctx, s.c, tol, data)
		m := peer.Must(model.Load(filepath.Join(l.dir, "model")))
		excess := objective(s.d, "squared-hinge", s.c, m.(*rank.Linear).Weights)/least - 1
		if excess < -1e-9 {
			panic(fmt.Errorf("liblinear-ranksvm's objective is %.3g below the minimum", -excess))
		}
		if excess <= 1e-6 || time.Since(start) > patience {
			break
		}
	}
	return tol, took
}

// write writes a set as text for both programs: without document IDs, and with numbers as query
// IDs.
func (l *liblinear) write(path string, d *rank.Dataset) {
	c := *d
	c.DocIDs, c.QueryIDs = nil, make([]string, d.Queries())
	for q := range c.QueryIDs {
		c.QueryIDs[q] = fmt.Sprint(q + 1)
	}
	f := peer.Must(os.Create(path))
	peer.Check(errors.Join(data.WriteLETOR(f, &c), f.Close()))
}
