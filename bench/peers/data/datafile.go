package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	rankdata "github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// Targets for opening data files.
const (
	openTime  = 0.020 // seconds for 1M × 136
	openRatio = 200   // time of reading the text divided by the time of opening
)

// A learner trains on data files, and has targets.
type learner struct {
	name   string
	slower float64 // maximum ratio of training times: mapped file to memory
	memory float64 // maximum megabytes of anonymous memory with the mapped file
	// fit trains and returns the model. If there is no file for bins, it trains in memory.
	fit func(d *rank.Dataset, bins string) rank.Model
}

var learners = []learner{
	{"RankSVM", 1.15, 150, func(d *rank.Dataset, _ string) rank.Model {
		return peer.Must((&rank.RankSVM{}).Fit(context.Background(), d))
	}},
	{"LambdaMART", 1.25, 500, func(d *rank.Dataset, bins string) rank.Model {
		t := lambdamart.DefaultTrainer()
		t.Trees, t.BinsFile = 10, bins
		return peer.Must(t.Fit(context.Background(), d)).Model
	}},
}

// big returns a dataset in chunks, with an ID for each query and document.
func big(rows int) iter.Seq2[*rank.Dataset, error] {
	const piece = 50_000
	return func(yield func(*rank.Dataset, error) bool) {
		queries := 0
		for lo := 0; lo < rows; lo += piece {
			d := synth.Config{Seed: 1, Part: uint64(lo / piece), Rows: min(piece, rows-lo), Cols: 136}.Dataset()
			for q := range d.QueryIDs {
				queries++
				d.QueryIDs[q] = strconv.Itoa(queries)
			}
			for i := range d.Rows() {
				d.DocIDs = append(d.DocIDs, "GX"+strconv.Itoa(lo+i))
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// dataFiles compares opening a data file with reading the text, and training on a mapped file with
// training in memory.
func dataFiles(ctx context.Context, t *peer.Table, dir string) {
	rows, fitRows, rounds := 1_000_000, 4_000_000, 5
	if t.Quick {
		rows, fitRows, rounds = 100_000, 400_000, 3
	}

	text, data := filepath.Join(dir, "text"), filepath.Join(dir, "small.simdrank")
	peer.Check(files.Save(text, func(w io.Writer) error {
		for d := range big(rows) {
			if err := rankdata.WriteLETOR(w, d); err != nil {
				return err
			}
		}
		return nil
	}))
	in := peer.Must(rankdata.Open(text, rankdata.Options{}))
	defer in.Close()
	peer.Check(datafile.SavePieces(data, in.Pieces()))
	var opened, read, ratios []float64
	for range rounds {
		opened = append(opened, open(data))
		runtime.GC()
		start := time.Now()
		d := peer.Must(rankdata.Load(text, rankdata.Options{}))
		read = append(read, time.Since(start).Seconds())
		ratios = append(ratios, read[len(read)-1]/opened[len(opened)-1])
		if d.Rows() != rows {
			panic(fmt.Errorf("read %d of %d rows", d.Rows(), rows))
		}
	}
	os.Remove(text)
	t.Heading("data file", "ours", "peer")
	what := fmt.Sprintf("opening %dk × 136 with document ids: ", rows/1000)
	t.Print(what+"reading the text", peer.Duration(peer.Median(opened)), peer.Duration(peer.Median(read)),
		peer.Median(ratios), openRatio)
	t.Print(what+"20 ms", peer.Duration(peer.Median(opened)), peer.Duration(openTime),
		openTime/peer.Median(opened), 1)

	peer.Check(datafile.SavePieces(data, big(fitRows)))
	// The system caches new files in small pages, which take longer to map. After a read, it uses
	// large pages.
	peer.Run(ctx, nil, "dd", "if="+data, "iflag=nocache", "count=0")
	peer.Must(files.Load(data, func(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) }))
	t.Rounds = rounds
	for _, l := range learners {
		mapped(ctx, t, l, data, fmt.Sprintf("%s, %dk × 136 mapped: ", l.name, fitRows/1000))
	}
	peer.Check(os.Remove(data))
}

// mapped compares training on a mapped file with training in memory, each in a separate process.
func mapped(ctx context.Context, t *peer.Table, l learner, data, what string) {
	self := peer.Must(os.Executable())
	var memory float64
	model := ""
	fit := func(where string) func() float64 {
		return func() float64 {
			_, out := peer.Run(ctx, nil, self, fitCommand, l.name, where, data)
			var seconds, anonymous float64
			var sum string
			peer.Must(fmt.Sscan(string(out), &seconds, &anonymous, &sum))
			if where == inFile {
				memory = max(memory, anonymous)
			}
			if model != "" && sum != model {
				panic(errors.New("the models that were trained in memory and on the file differ"))
			}
			model = sum
			return seconds
		}
	}
	t.Compare(peer.Row{What: what + "in memory", Target: 1 / l.slower, Ours: fit(inFile),
		Peer: fit("memory")})
	t.Print(what+"anonymous memory", fmt.Sprintf("%.0f MB", memory), fmt.Sprintf("%.0f MB", l.memory),
		l.memory/memory, 1)
}

// open returns the median time of opening a file in seconds.
func open(path string) float64 {
	var seconds []float64
	for range 9 {
		runtime.GC()
		start := time.Now()
		f := peer.Must(datafile.Open(path))
		seconds = append(seconds, time.Since(start).Seconds())
		peer.Check(f.Close())
	}
	return peer.Median(seconds)
}

// fitCommand is the first argument with which this program trains for its parent. With inFile, it
// uses the data in place.
const (
	fitCommand = "fit"
	inFile     = "mapped"
)

// fitFile trains on a data file, mapped or in memory. It prints the training time in seconds, the
// maximum megabytes of anonymous memory, and a hash of the model.
func fitFile(name, where, path string) {
	f := peer.Must(datafile.Open(path))
	d, bins := f.Dataset, path+".bins"
	if where != inFile {
		d, bins = rank.Concat(d), ""
	}
	var most atomic.Uint64
	go func() {
		for ; ; time.Sleep(5 * time.Millisecond) {
			most.Store(max(most.Load(), uint64(peer.AnonymousMemory())))
		}
	}()
	for _, l := range learners {
		if l.name != name {
			continue
		}
		start := time.Now()
		m := l.fit(d, bins)
		took := time.Since(start).Seconds()
		hash := fnv.New64a()
		peer.Check(model.Write(hash, m, "json"))
		fmt.Printf("%g %g %x\n", took, float64(most.Load())/1e6, hash.Sum64())
	}
}
