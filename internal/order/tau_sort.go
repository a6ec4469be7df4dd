package order

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
)

// takeSorted fills c.y without sorting if the first column strictly ascends or descends. Otherwise,
// it returns false.
func (c *TauCounter) takeSorted(t *tauTask) bool {
	n, x, y := len(c.y), c.first, c.second
	down := x.monotone(8, true)
	if !down && !x.monotone(8, false) {
		return false
	}
	last := int64(math.MinInt64)
	for i := 0; i < n; i += stageLen {
		to := c.y[i:min(i+stageLen, n)]
		lo, hi := i, i+len(to)
		if down {
			lo, hi = n-hi, n-lo
		}
		keys := append(t.kx[:0], x.fill(t.kx[:], lo, hi)...)
		copy(to, y.fill(t.ky[:], lo, hi))
		if down {
			slices.Reverse(keys)
			slices.Reverse(to)
		}
		for _, k := range keys {
			if int64(k) <= last {
				return false
			}
			last = int64(k)
		}
	}
	t.ties.Distinct = int64(n)
	return true
}

// depth is the maximum number of partitions above a leaf. Halving n takes log₂ n partitions, and a
// value with many ties takes two.
func depth(n int) int { return 3*bits.Len(uint(n)) + 8 }

// sort sorts the packed keys of both columns and stores the keys of y in c.y.
func (c *TauCounter) sort(t *tauTask) {
	n := len(c.y)
	c.a, c.b = memory.Grow(c.a, n), memory.Grow(c.b, n)
	t.y = c.y
	t.pack(c.a, c.first, c.second, 0)
	t.sort(c.a, c.b, math.MinInt64, math.MaxInt64, depth(n))
	t.finish()
}

// pack sets dst to the packed keys of the values from first on.
func (t *tauTask) pack(dst []int64, x, y *column, first int) {
	for lo := 0; lo < len(dst); lo += chunkLen {
		hi := min(lo+chunkLen, len(dst))
		PackKeys(dst[lo:hi], x.fill(t.kx[:], first+lo, first+hi), y.fill(t.ky[:], first+lo, first+hi))
	}
}

// A tauTask sorts and counts a part of the keys.
type tauTask struct {
	leaf int // maximum length of a leaf, which is not partitioned

	// In the first phase, sorted keys are split into runs of x and keys of y.
	stage   [1 + stageLen]int64 // the last key that was split, and the keys that wait
	waiting int
	y       []int32 // destination of the keys of y
	newX    [stageLen / 8]uint8
	newKey  [stageLen / 8]uint8
	started bool
	run     int64 // length of the current run of x
	runKey  int64 // length of the current run of keys
	ties    Ties  // ties of x
	both    Ties  // ties of the packed keys
	listX   bool  // whether to collect tiedX
	tiedX   []int32

	// In the second phase, the inversions and ties of y are counted.
	discordant int64
	tiesY      Ties
	listY      bool // whether to collect tiedY
	tiedY      []int32

	progress *parallel.Progress // counts sorted keys and counted keys; nil if it is not reported
	untold   int                // number of keys that were not yet reported

	kx, ky [stageLen]int32 // chunks of keys before they are packed

	lo64, hi64 []int64 // scratch memory for a part of a grid
	lo32, hi32 []int32

	suspects suspects // suspects that this task has found
}

func (t *tauTask) start(listX, listY bool) {
	t.leaf = insertionLen
	if cpu.UseAVX512 || cpu.UseAVX2 || cpu.UseNEON {
		t.leaf = LeafLen
	}
	t.waiting, t.started, t.run, t.runKey = 0, false, 0, 0
	t.ties, t.both, t.tiesY, t.discordant = Ties{}, Ties{}, Ties{}, 0
	t.listX, t.listY, t.untold = listX, listY, 0
	t.tiedX, t.tiedY = t.tiedX[:0], t.tiedY[:0]
}

// toldLen is the number of keys per progress report.
const toldLen = 1 << 15

// passed records that n more keys were sorted or counted.
func (t *tauTask) passed(n int) {
	if t.progress == nil {
		return
	}
	if t.untold += n; t.untold >= toldLen {
		t.progress.Add(int64(t.untold))
		t.untold = 0
	}
}

// sort sorts a and emits its keys in order. All keys are in [lo, hi]. free has the same length as
// a, and both are overwritten.
func (t *tauTask) sort(a, free []int64, lo, hi int64, depth int) {
	for len(a) > t.leaf {
		long := len(a) >= spreadLen
		if long && (lo == math.MinInt64 || hi == math.MaxInt64) { // cells of such a range would be too wide
			lo, hi = extent(a)
		}
		if lo == hi {
			t.emit(a)
			return
		}
		if long && t.spread(a, free, lo, hi, depth) {
			return
		}
		if depth == 0 {
			mergeCount(a, free)
			t.emit(a)
			return
		}
		depth--
		// The left part may be empty or contain only lo, but the bounds always become closer.
		p := max(pivot(a), lo+1)
		n := PartitionI64(a, free, a, p)
		m := len(a) - n
		t.sort(a[:n], free[m:], lo, p-1, depth)
		a, free, lo = free[:m], a[n:], p
	}
	t.sortLeaf(a)
}

func (t *tauTask) sortLeaf(a []int64) {
	if t.waiting+len(a) > stageLen {
		t.flush()
	}
	SortI64(t.stage[1+t.waiting:1+t.waiting+len(a)], a)
	t.waiting += len(a)
}

// extent returns the smallest and the largest key.
func extent(a []int64) (lo, hi int64) {
	lo, hi = a[0], a[0]
	for _, k := range a {
		lo, hi = min(lo, k), max(hi, k)
	}
	return lo, hi
}

// spread is a sort that first moves the keys to cells. Cells divide the range from lo to hi evenly,
// and contain few keys on average. Several cells that fit in a leaf are sorted together. The range
// of a cell with many keys is a small part of the whole range, so that on any input a key is moved
// a bounded number of times. If a few cells would contain most of the keys, spread does nothing and
// returns false.
func (t *tauTask) spread(a, free []int64, lo, hi int64, depth int) bool {
	width := bits.Len(uint(min(len(a)/spreadShare, spreadCells-1)))
	shift := max(0, bits.Len64(uint64(hi-lo))-width)
	if crowd(a, lo, shift) {
		return false
	}
	var table [spreadCells]uint32
	cells := table[:1<<width]
	SpreadI64(free, cells, a, lo, shift)
	start, last := 0, 0 // range of the cells that wait for more keys
	for i, end := range cells {
		if int(end)-start > t.leaf {
			t.sortLeaf(free[start:last])
			start = last
		}
		last = int(end)
		if last-start > t.leaf {
			least, most := uint64(i)<<shift, min(uint64(i+1)<<shift-1, uint64(hi-lo))
			t.sort(free[start:last], a[start:last], lo+int64(least), lo+int64(most), depth)
			start = last
		}
	}
	t.sortLeaf(free[start:last])
	return true
}

// crowd reports whether a few cells contain most of the keys. It uses a sample.
func crowd(keys []int64, lo int64, shift int) bool {
	var sample [spreadSample]int64
	for i := range sample {
		sample[i] = int64(uint64(keys[part(2*i+1, 2*spreadSample, len(keys))]-lo) >> shift)
	}
	SortI64(sample[:], sample[:])
	n := 1
	for i, cell := range sample[1:] {
		if cell != sample[i] {
			n++
		}
	}
	return n < spreadSeen
}

// emit adds sorted keys to the stage, and splits the keys when the stage is full.
func (t *tauTask) emit(a []int64) {
	for len(a) > 0 {
		if t.waiting == stageLen {
			t.flush()
		}
		n := copy(t.stage[1+t.waiting:], a)
		t.waiting += n
		a = a[n:]
	}
	if t.waiting > 0 {
		t.flush()
	}
}

// flush splits the waiting keys.
func (t *tauTask) flush() {
	n := t.waiting
	if n == 0 {
		return
	}
	t.waiting = 0
	t.passed(n)
	if !t.started {
		t.started = true
		t.stage[0] = t.stage[1] ^ math.MinInt64 // a key with another x
	}
	SplitKeys(t.y[:n], t.newX[:], t.newKey[:], t.stage[:1+n])
	t.y = t.y[n:]
	clear(t.newX[(n+7)/8:])
	clear(t.newKey[(n+7)/8:])
	tied := false
	for i := 0; i < n; i += 64 {
		m := min(64, n-i)
		newX, newKey := binary.LittleEndian.Uint64(t.newX[i/8:]), binary.LittleEndian.Uint64(t.newKey[i/8:])
		t.run = addStarts(&t.ties, t.run, newX, m)
		t.runKey = addStarts(&t.both, t.runKey, newKey, m)
		tied = tied || bits.OnesCount64(newX) < m
	}
	if t.listX && tied {
		t.listTies(n)
	}
	t.stage[0] = t.stage[n]
}

// listTies adds the values of x that occur several times among the n keys of the stage to tiedX.
func (t *tauTask) listTies(n int) {
	for i := 0; i < n; i += 8 {
		tied := ^t.newX[i/8]
		if n-i < 8 {
			tied &= 1<<(n-i) - 1
		}
		for ; tied != 0; tied &= tied - 1 {
			k := int32(t.stage[1+i+bits.TrailingZeros8(tied)] >> 32)
			if m := len(t.tiedX); m == 0 || t.tiedX[m-1] != k {
				t.tiedX = append(t.tiedX, k)
			}
		}
	}
}

// finish splits the waiting keys and ends the last runs.
func (t *tauTask) finish() {
	t.flush()
	t.ties.addRun(t.run)
	t.both.addRun(t.runKey)
	t.run, t.runKey, t.started = 0, 0, false
}

// addStarts adds the runs of n more sorted values to t. Bit i of starts is set if value i differs
// from the previous one. run is the length of the current run. addStarts returns the new length of
// the current run.
func addStarts(t *Ties, run int64, starts uint64, n int) int64 {
	if starts == 0 {
		return run + int64(n)
	}
	first, last := bits.TrailingZeros64(starts), bits.Len64(starts)-1
	t.addRun(run + int64(first))
	// Most runs consist of one value. Find the longer runs by the values that do not start a run.
	t.Distinct += int64(bits.OnesCount64(starts) - 1)
	for rest := ^starts & (1<<last - 1<<first); rest != 0; {
		i := bits.TrailingZeros64(rest)
		more := bits.TrailingZeros64(^(rest >> i))
		t.Distinct--
		t.addRun(int64(1 + more))
		rest &= rest + 1<<i
	}
	return int64(n - last)
}
