//go:build !purego && (amd64 || arm64)

package vectors

import (
	"math"
	"sync"

	"github.com/simdrank/simdrank/internal/kern"
)

// This file computes MaxSim of bytes with kernels that multiply words of four bytes.

const (
	maxSimBytes   = 1 << 14 // bytes of the rows that are copied at a time
	maxSimMaxCols = 1 << 15 // maximum number of columns for which sums fit in an int32
)

// A maxSimBytesWork is the memory of one call. It is like maxSimWork, but an element of a panel is
// a word of four bytes.
type maxSimBytesWork struct {
	panels []int8
	maxima []int32
	tile   []int8 // rows as maxSimI8Pack stores them
}

var maxSimBytesPool = sync.Pool{New: func() any { return new(maxSimBytesWork) }}

// maxSimWords implements maxSimI8 for vectors of at most maxSimMaxCols columns.
func maxSimWords(dst []float64, q, a []int8, cols, stride int, docs [][2]int) {
	kern.RaceRead(q)
	kern.RaceWrite(dst)
	if len(q) == 0 { // cols may be huge
		clear(dst)
		return
	}
	w := maxSimBytesPool.Get().(*maxSimBytesWork)
	defer maxSimBytesPool.Put(w) // even if a memory-mapped file causes a fault
	queries, words, tileStride := len(q)/cols, (cols+3)/4, (cols+63)&^63
	size := 4 * maxSimLanes * words // of a panel
	w.panels = grown(w.panels, (queries+maxSimLanes-1)/maxSimLanes*size)
	w.maxima = grown(w.maxima, len(w.panels)/size*maxSimLanes)
	w.tile = grown(w.tile, max(maxSimBytes, maxSimRows*tileStride))
	clear(w.panels)
	var bias int64 // what maxSimI8Pack adds to a score
	for i := range queries {
		panel := w.panels[i/maxSimLanes*size+i%maxSimLanes*4:]
		for k, v := range q[i*cols:][:cols] {
			panel[k/4*4*maxSimLanes+k%4] = v
			bias += maxSimBias * int64(v)
		}
	}
	for i, doc := range docs {
		if dst[i] = math.Inf(-1); doc[0] == doc[1] {
			continue
		}
		for k := range w.maxima {
			w.maxima[k] = math.MinInt32
		}
		kern.RaceReadRows(a[doc[0]*stride:], doc[1]-doc[0], cols, stride)
		n := len(w.tile) / tileStride
		for j := doc[0]; j < doc[1]; j += n {
			// The kernels require several rows. The last ones may have been processed before.
			j := max(doc[0], min(j, doc[1]-maxSimRows))
			rows := min(n, doc[1]-j)
			maxSimI8Pack(w.tile, a[j*stride:], rows, cols, stride)
			for ; rows < maxSimRows; rows++ {
				copy(w.tile[rows*tileStride:][:tileStride], w.tile[(rows-1)*tileStride:])
			}
			for p := range len(w.panels) / size {
				maxima, panel := (*[maxSimLanes]int32)(w.maxima[p*maxSimLanes:]), w.panels[p*size:][:size]
				maxSimI8Multiply(maxima, panel, w.tile, rows, words, tileStride)
			}
		}
		sum := -bias
		for _, v := range w.maxima[:queries] {
			sum += int64(v)
		}
		dst[i] = float64(sum)
	}
}
