//go:build linux

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/nearest/vectorfile"
	"github.com/simdrank/simdrank/vectors"
)

// tools are the packages that search exactly on one thread (flat.py).
var tools = []struct{ name, pkg string }{{"FAISS", "faiss"}, {"usearch", "usearch"}, {"NumKong", "numkong"},
	{"NumPy", "numpy"}}

// neighbors compares exact searches, by processor time.
func neighbors(ctx context.Context, m *machine) {
	shapes := [][2]int{{1_000_000, 128}, {200_000, 768}}
	if m.Quick {
		shapes = [][2]int{{50_000, 128}}
	}
	for _, shape := range shapes {
		s := search{machine: m, ctx: ctx, rows: shape[0], cols: shape[1]}
		s.compare(len(tools))
	}
}

// growth compares time and memory with FAISS for 10⁴ to 10⁷ vectors.
func growth(ctx context.Context, m *machine) {
	top := 10_000_000
	if m.Quick {
		top = 100_000
	}
	m.Rounds = 1
	for rows := 10_000; rows <= top; rows *= 10 {
		s := search{machine: m, ctx: ctx, rows: rows, cols: 128}
		if !peer.Fits(3.5 * 4 * float64(rows*s.cols)) {
			fmt.Printf("%d vectors: skipped, because this machine has too little memory\n", rows)
			continue
		}
		s.compare(1)
	}
}

const (
	k     = 100
	batch = 32
)

// A search finds the k nearest of rows vectors with cols elements, as float32, bytes and bits.
type search struct {
	*machine
	ctx        context.Context
	rows, cols int

	vectors, queries []float32
	codes            []int8   // of the queries
	signs            []uint64 // of the queries

	exact  *nearest.Index[float32]
	byCode *nearest.Index[int8]
	bySign *nearest.Index[uint64]

	found []nearest.Neighbor
}

// open creates indexes of the same vectors and queries as in the peers.
func (s *search) open(path string) {
	s.vectors = copied(path + ".npy")
	s.queries = copied(path + ".queries.npy")
	scale := vectors.ScaleI8(s.vectors)
	codes := make([]int8, len(s.vectors))
	vectors.QuantizeI8(codes, s.vectors, scale)
	s.codes = make([]int8, len(s.queries))
	vectors.QuantizeI8(s.codes, s.queries, scale)
	words := s.cols / 64
	signs := make([]uint64, len(s.vectors)/64)
	vectors.SignBits(signs, s.vectors)
	s.signs = make([]uint64, len(s.queries)/64)
	vectors.SignBits(s.signs, s.queries)

	s.exact = peer.Must(nearest.New[float32](s.vectors, s.rows, s.cols, s.cols, "dot"))
	s.byCode = peer.Must(nearest.New[int8](codes, s.rows, s.cols, s.cols, "dot"))
	s.bySign = peer.Must(nearest.New[uint64](signs, s.rows, words, words, "hamming"))
	s.exact.Threads, s.byCode.Threads, s.bySign.Threads = 1, 1, 1
}

// compare compares with the first tools, and the ways to search with each other.
func (s *search) compare(count int) {
	dir := peer.Must(os.MkdirTemp("", "simdrank-vectors-"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "vectors")
	what := fmt.Sprintf("top %d of %dk × %d", k, s.rows/1000, s.cols)
	for i, tool := range tools[:count] {
		python := peer.Python(s.ctx, "bench/peers/vectors/flat.py", tool.pkg)
		if i == 0 {
			python.Call("make %s %d %d", path, s.rows, s.cols)
			s.open(path)
		}
		row := peer.Row{What: what + ", 1 query", Program: python.Program(tool.name, tool.pkg),
			Ours: s.time(s.alone), Peer: s.theirs(python, 1), PeerMemory: python.Seconds("load %s", path)}
		if s.Growth {
			row.OurMemory = s.memory()
		}
		s.Compare(row)
		row.What, row.Ours, row.Peer = what+", 32 queries", s.time(s.together), s.theirs(python, batch)
		s.Compare(row)
		peer.Check(python.Close())
	}
	if s.Growth {
		return
	}
	s.Compare(peer.Row{What: what + ", 1 query / reading", Target: 0.85,
		Ours: s.time(s.alone), Peer: s.time(s.read)})
	s.Compare(peer.Row{What: what + ", 32 queries, int8 / float32", Target: 3,
		Ours: s.time(s.bytes), Peer: s.time(s.together)})
	for _, first := range []struct {
		name       string
		candidates int
		search     func(q, candidates int) []nearest.Neighbor
	}{{"int8", 2 * k, s.codesFirst}, {"bits", 10_000, s.signsFirst}} {
		recall := s.recall(first.search, first.candidates)
		what := fmt.Sprintf("%s, %s, %d again: recall %.3f", what, first.name, first.candidates, recall)
		s.Compare(peer.Row{What: what + " / float32",
			Ours: s.time(func() []nearest.Neighbor { return first.search(0, first.candidates) }),
			Peer: s.time(s.alone),
		})
	}
}

// memory returns the maximum memory of an index and a search in addition to the vectors.
func (s *search) memory() float64 {
	before := peer.ResetMemory()
	if before == 0 {
		return 0
	}
	x := peer.Must(nearest.New[float32](s.vectors, s.rows, s.cols, s.cols, "dot"))
	x.Threads = 1
	peer.Must(x.AppendNearestBatch(s.ctx, nil, s.queries, batch, s.cols, k))
	return peer.PeakMemory() - before
}

// time times a search of simdrank.
func (s *search) time(f func() []nearest.Neighbor) func() float64 {
	return func() float64 { return processorTime(s.least, func() { s.found = f() }) }
}

// theirs runs a search in the peer, and compares the sums of the scores.
func (s *search) theirs(python *peer.Process, queries int) func() float64 {
	return func() float64 {
		v := python.Floats("search %d %d", k, queries)
		var sum float64
		for _, n := range s.found {
			sum += n.Score
		}
		if len(v) != 2 || math.Abs(v[1]-sum) > 1e-5*math.Abs(sum) {
			panic(fmt.Errorf("the sum of the scores is %v in simdrank and %v in the peer", sum, v))
		}
		return v[0]
	}
}

func (s *search) alone() []nearest.Neighbor {
	return peer.Must(s.exact.AppendNearest(s.found[:0], s.queries[:s.cols], k))
}

func (s *search) together() []nearest.Neighbor {
	return peer.Must(s.exact.AppendNearestBatch(s.ctx, s.found[:0], s.queries, batch, s.cols, k))
}

func (s *search) bytes() []nearest.Neighbor {
	return peer.Must(s.byCode.AppendNearestBatch(s.ctx, s.found[:0], s.codes, batch, s.cols, k))
}

// read reads the vectors once, sequentially.
func (s *search) read() []nearest.Neighbor {
	for i := 0; i < len(s.vectors); i += 1 << 16 {
		part := s.vectors[i:min(i+1<<16, len(s.vectors))]
		sink = float64(kernels.DotF32(part, part))
	}
	return s.found
}

// codesFirst and signsFirst search in two stages.

func (s *search) codesFirst(q, candidates int) []nearest.Neighbor {
	found := peer.Must(s.byCode.AppendNearest(s.found[:0], s.codes[q*s.cols:][:s.cols], candidates))
	return peer.Must(s.exact.AppendReranked(found[:0], s.queries[q*s.cols:][:s.cols], found, k))
}

func (s *search) signsFirst(q, candidates int) []nearest.Neighbor {
	words := s.cols / 64
	found := peer.Must(s.bySign.AppendNearest(s.found[:0], s.signs[q*words:][:words], candidates))
	return peer.Must(s.exact.AppendReranked(found[:0], s.queries[q*s.cols:][:s.cols], found, k))
}

// recall returns the share of the k nearest vectors that a two-stage search finds, over all
// queries.
func (s *search) recall(search func(q, candidates int) []nearest.Neighbor, candidates int) float64 {
	truth := peer.Must(s.exact.AppendNearestBatch(s.ctx, nil, s.queries, batch, s.cols, k))
	var sum float64
	for q := range batch {
		s.found = search(q, candidates)
		var ids []int32
		for _, n := range truth[q*k:][:k] {
			ids = append(ids, n.ID)
		}
		sum += nearest.Recall(s.found, ids)
	}
	return sum / batch
}

// copied returns a copy of the float32 values in a file, because a mapped file may not be in memory
// yet.
func copied(path string) []float32 {
	f := peer.Must(vectorfile.Open(path))
	defer f.Close()
	a, ok := f.Data.([]float32)
	if !ok {
		panic(fmt.Errorf("%s contains %s vectors; they must be float32", path, f.Type()))
	}
	return append(make([]float32, 0, len(a)), a...)
}
