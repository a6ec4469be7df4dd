package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/letor"
)

// What is wanted of data files.
const (
	openTime   = 0.020      // seconds to open 1M × 136
	openRatio  = 200        // reading the text over that
	fitRatio   = 1 / 1.15   // RankSVM's time in memory over that on a mapped file
	fitMemory  = 150        // megabytes of anonymous memory that RankSVM takes then
	fitCommand = "fit-file" // has this program train
)

// big is a dataset in pieces, with an id for each query and document.
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

// dataFiles compares opening a data file with reading the text, and training on a mapped one with
// training in memory.
func dataFiles(ctx context.Context, t *peer.Table) error {
	dir, err := os.MkdirTemp("", "data")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rows, fitRows, rounds := 1_000_000, 4_000_000, 5
	if t.Quick {
		rows, fitRows, rounds = 100_000, 400_000, 3
	}

	text, data := filepath.Join(dir, "text"), filepath.Join(dir, "small.simdrank")
	err = files.Save(text, func(w io.Writer) error {
		for d := range big(rows) {
			if err := letor.Write(w, d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := datafile.SavePieces(data, letor.LoadPieces(text)); err != nil {
		return err
	}
	var opened, read, ratios []float64
	for range rounds {
		seconds, err := open(data)
		if err != nil {
			return err
		}
		opened = append(opened, seconds)
		runtime.GC()
		start := time.Now()
		d, err := letor.Load(text)
		if err != nil {
			return err
		}
		read = append(read, time.Since(start).Seconds())
		ratios = append(ratios, read[len(read)-1]/opened[len(opened)-1])
		if d.Rows() != rows {
			return fmt.Errorf("%d rows of %d", d.Rows(), rows)
		}
	}
	os.Remove(text)
	t.Heading("data file", "ours", "peer")
	what := fmt.Sprintf("opening %dk × 136 with document ids: ", rows/1000)
	t.Print(what+"reading the text", peer.Duration(peer.Median(opened)), peer.Duration(peer.Median(read)),
		peer.Median(ratios), openRatio)
	t.Print(what+"20 ms", peer.Duration(peer.Median(opened)), peer.Duration(openTime),
		openTime/peer.Median(opened), 1)

	if err := datafile.SavePieces(data, big(fitRows)); err != nil {
		return err
	}
	// Files that have just been written are cached in small pages, which take longer to map; those
	// that have been read, in large ones.
	if _, _, err := peer.Run(ctx, nil, "dd", "if="+data, "iflag=nocache", "count=0"); err != nil {
		return err
	}
	if _, err := files.Load(data, func(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) }); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var memory float64
	fit := func(where string) func() (float64, error) {
		return func() (float64, error) {
			_, out, err := peer.Run(ctx, nil, self, fitCommand, where, data)
			if err != nil {
				return 0, err
			}
			var seconds, anonymous float64
			if _, err := fmt.Sscan(string(out), &seconds, &anonymous); err != nil {
				return 0, err
			}
			if where == "mapped" {
				memory = max(memory, anonymous)
			}
			return seconds, nil
		}
	}
	t.Rounds = rounds
	what = fmt.Sprintf("RankSVM, %dk × 136 mapped: ", fitRows/1000)
	if err := t.Compare(peer.Row{What: what + "in memory", Target: fitRatio, Ours: fit("mapped"),
		Peer: fit("memory")}); err != nil {
		return err
	}
	t.Print(what+"anonymous memory", fmt.Sprintf("%.0f MB", memory), fmt.Sprintf("%d MB", fitMemory),
		fitMemory/memory, 1)
	return nil
}

// open returns the seconds that opening a file takes, the median of some times.
func open(path string) (float64, error) {
	var seconds []float64
	for range 9 {
		runtime.GC()
		start := time.Now()
		f, err := datafile.Open(path)
		if err != nil {
			return 0, err
		}
		seconds = append(seconds, time.Since(start).Seconds())
		if err := f.Close(); err != nil {
			return 0, err
		}
	}
	return peer.Median(seconds), nil
}

// fitFile trains on a data file, mapped or in memory, and prints the seconds that it took and the
// most megabytes of anonymous memory in the meantime.
func fitFile() {
	f, err := datafile.Open(os.Args[3])
	if err != nil {
		panic(err)
	}
	d := f.Dataset
	if os.Args[2] == "memory" {
		d = rank.Concat(d)
	}
	var most atomic.Int64
	go func() {
		for ; ; time.Sleep(5 * time.Millisecond) {
			most.Store(max(most.Load(), anonymous()))
		}
	}()
	start := time.Now()
	if _, err := (&rank.RankSVM{}).Fit(context.Background(), d); err != nil {
		panic(err)
	}
	fmt.Println(time.Since(start).Seconds(), float64(most.Load())/1e3)
}

// anonymous returns the kilobytes of memory in use that no file is behind.
func anonymous() int64 {
	b, _ := os.ReadFile("/proc/self/status")
	_, b, _ = bytes.Cut(b, []byte("RssAnon:"))
	kb, _, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	n, _ := strconv.ParseInt(kb, 10, 64)
	return n
}
