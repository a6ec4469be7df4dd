package vectors

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/kernels"
)

// Element is a constraint for the elements of queries and rows in [DotRows] and similar functions.
// The function comments list the types that can be combined.
type Element interface {
	float64 | float32 | F16 | BF16 | int8 | uint8
}

// DotRows sets dst[i] to the dot product of the query q and row i of a. a is a row-major matrix of
// rows × cols elements, and row i starts at a[i·stride]. len(dst) must be rows, and len(q) must be
// cols. stride must be at least cols, and a must be long enough for all rows. Elements between rows
// are ignored.
//
// The query and the rows have the same type, or the query is float32 and the rows are F16, BF16,
// int8 or uint8. Each dst[i] is bit-identical to the two-vector kernel for these types, for example
// [kernels.DotF32], [DotU8] or [DotF32U8]. Results of float64 and int64 kernels are rounded to
// float32.
//
// It panics if a length or the stride is invalid, if dst overlaps q or a, or if there is no kernel
// for the types.
func DotRows[Q, E Element](dst []float32, q []Q, a []E, rows, cols, stride int) {
	checkRows("vectors: DotRows", dst, q, a, rows, cols, stride)
	many("vectors: DotRows", dst, q, a, manyShape{metric: dotMetric, queries: 1, rows: rows, cols: cols,
		stride: stride})
}

// L2Rows is like [DotRows] but computes squared Euclidean distances, like [L2F32] and similar
// kernels.
func L2Rows[Q, E Element](dst []float32, q []Q, a []E, rows, cols, stride int) {
	checkRows("vectors: L2Rows", dst, q, a, rows, cols, stride)
	many("vectors: L2Rows", dst, q, a, manyShape{metric: l2Metric, queries: 1, rows: rows, cols: cols, stride: stride})
}

// CosineRows is like [DotRows] but computes cosines, like [CosineF32] and similar kernels.
func CosineRows[Q, E Element](dst []float32, q []Q, a []E, rows, cols, stride int) {
	checkRows("vectors: CosineRows", dst, q, a, rows, cols, stride)
	many("vectors: CosineRows", dst, q, a, manyShape{metric: cosineMetric, queries: 1, rows: rows, cols: cols,
		stride: stride})
}

// DotIDs is like [DotRows] but only for the rows listed in ids. It sets dst[i] for row ids[i] of a,
// which starts at a[ids[i]·stride]. dst and ids must have the same length. A row may be listed more
// than once. The listed rows are prefetched, so they need not be close to each other in memory.
//
// It panics under the same conditions as DotRows, if dst overlaps ids, or if an id is not a row of
// a. It panics before it computes anything.
func DotIDs[Q, E Element](dst []float32, q []Q, a []E, cols, stride int, ids []int32) {
	checkIDs("vectors: DotIDs", dst, q, a, cols, stride, ids)
	many("vectors: DotIDs", dst, q, a, manyShape{metric: dotMetric, queries: 1, rows: len(ids), cols: cols,
		stride: stride, ids: ids})
}

// L2IDs is like [DotIDs] but computes squared Euclidean distances as in [L2Rows].
func L2IDs[Q, E Element](dst []float32, q []Q, a []E, cols, stride int, ids []int32) {
	checkIDs("vectors: L2IDs", dst, q, a, cols, stride, ids)
	many("vectors: L2IDs", dst, q, a, manyShape{metric: l2Metric, queries: 1, rows: len(ids), cols: cols,
		stride: stride, ids: ids})
}

// CosineIDs is like [DotIDs] but computes cosines as in [CosineRows].
func CosineIDs[Q, E Element](dst []float32, q []Q, a []E, cols, stride int, ids []int32) {
	checkIDs("vectors: CosineIDs", dst, q, a, cols, stride, ids)
	many("vectors: CosineIDs", dst, q, a, manyShape{metric: cosineMetric, queries: 1, rows: len(ids), cols: cols,
		stride: stride, ids: ids})
}

// DotBlock is like [DotRows] but for several queries. It sets dst[i·rows+j] for query i, which
// starts at q[i·qstride], and row j of a. len(dst) must be queries·rows, q must be long enough for
// all queries, and qstride must be at least cols. If the queries fit in a cache, the matrix is read
// only once. A few dozen queries per call are fastest.
//
// It panics under the same conditions as DotRows, or if the number of queries or their stride is
// invalid.
func DotBlock[Q, E Element](dst []float32, q []Q, queries, qstride int, a []E, rows, cols, stride int) {
	checkBlock("vectors: DotBlock", dst, q, queries, qstride, a, rows, cols, stride)
	many("vectors: DotBlock", dst, q, a, blockShape(dotMetric, queries, qstride, rows, cols, stride))
}

// L2Block is like [DotBlock] but computes squared Euclidean distances as in [L2Rows].
func L2Block[Q, E Element](dst []float32, q []Q, queries, qstride int, a []E, rows, cols, stride int) {
	checkBlock("vectors: L2Block", dst, q, queries, qstride, a, rows, cols, stride)
	many("vectors: L2Block", dst, q, a, blockShape(l2Metric, queries, qstride, rows, cols, stride))
}

// CosineBlock is like [DotBlock] but computes cosines as in [CosineRows].
func CosineBlock[Q, E Element](dst []float32, q []Q, queries, qstride int, a []E, rows, cols, stride int) {
	checkBlock("vectors: CosineBlock", dst, q, queries, qstride, a, rows, cols, stride)
	many("vectors: CosineBlock", dst, q, a, blockShape(cosineMetric, queries, qstride, rows, cols, stride))
}

// Cosines converts dot products to cosines. Before the call, dst[i] is the dot product of a query
// and row i. Afterwards, it is their cosine, bit-identical to [CosineF32]. xx is the dot product of
// the query with itself, and yy[i] is the dot product of row i with itself. If you compute yy once
// for many calls, [DotBlock] followed by Cosines is faster than [CosineBlock].
//
// It panics if the lengths differ or if dst overlaps yy.
func Cosines(dst []float32, xx float32, yy []float32) {
	switch {
	case len(dst) != len(yy):
		panic(kern.Lengths("vectors: Cosines: len(dst) and len(yy) differ: %d and %d", len(dst), len(yy)))
	case kern.Overlaps(dst, yy):
		panic(kern.Error("vectors: Cosines: dst overlaps yy"))
	}
	kern.RaceRead(yy)
	kern.RaceWrite(dst)
	for i := 0; i < len(dst); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(dst))
		cosinesF32(dst[i:end], xx, yy[i:end])
	}
}

// HammingRows is like [DotRows] but counts differing bits, as [HammingBits] does. q and each row
// have cols words.
func HammingRows(dst []float32, q, a []uint64, rows, cols, stride int) {
	checkRows("vectors: HammingRows", dst, q, a, rows, cols, stride)
	blockBits(dst, q, a, manyShape{queries: 1, rows: rows, cols: cols, stride: stride})
}

// HammingIDs is like [DotIDs] but counts differing bits as in [HammingRows].
func HammingIDs(dst []float32, q, a []uint64, cols, stride int, ids []int32) {
	checkIDs("vectors: HammingIDs", dst, q, a, cols, stride, ids)
	blockBits(dst, q, a, manyShape{queries: 1, rows: len(ids), cols: cols, stride: stride, ids: ids})
}

// HammingBlock is like [DotBlock] but counts differing bits as in [HammingRows].
func HammingBlock(dst []float32, q []uint64, queries, qstride int, a []uint64, rows, cols, stride int) {
	checkBlock("vectors: HammingBlock", dst, q, queries, qstride, a, rows, cols, stride)
	blockBits(dst, q, a, blockShape(0, queries, qstride, rows, cols, stride))
}

// A metric is a function that compares two vectors.
type metric uint8

const (
	dotMetric metric = iota
	l2Metric
	cosineMetric
)

// A manyShape contains a metric and the shapes of its operands, after they were checked.
type manyShape struct {
	metric             metric
	queries, qstride   int
	rows, cols, stride int
	ids                []int32 // rows to compare with the only query; nil if all rows are compared
}

// blockShape returns the shape of a block of queries. If there are no rows, the shape has no
// queries, because a huge number of queries without elements would otherwise cause an endless loop.
func blockShape(m metric, queries, qstride, rows, cols, stride int) manyShape {
	if rows == 0 {
		queries = 0
	}
	return manyShape{metric: m, queries: queries, qstride: qstride, rows: rows, cols: cols, stride: stride}
}

// row returns the index of the first element of row j.
func (s *manyShape) row(j int) int {
	if s.ids != nil {
		j = int(s.ids[j])
	}
	return j * s.stride
}

// many calls the kernels for element types Q and E.
func many[Q, E Element](kernel string, dst []float32, q []Q, a []E, s manyShape) {
	switch q := any(q).(type) {
	case []float64:
		if a, ok := any(a).([]float64); ok {
			manyF64(dst, q, a, s)
			return
		}
	case []float32:
		switch a := any(a).(type) {
		case []float32:
			manyF32(dst, q, a, s)
			return
		case []F16:
			manyF32F16(dst, q, a, s)
			return
		case []BF16:
			manyF32BF16(dst, q, a, s)
			return
		case []int8:
			manyF32I8(dst, q, a, s)
			return
		case []uint8:
			manyF32U8(dst, q, a, s)
			return
		}
	case []F16:
		if a, ok := any(a).([]F16); ok {
			manyF16(dst, q, a, s)
			return
		}
	case []BF16:
		if a, ok := any(a).([]BF16); ok {
			manyBF16(dst, q, a, s)
			return
		}
	case []int8:
		if a, ok := any(a).([]int8); ok {
			blockI8(dst, q, a, s)
			return
		}
	case []uint8:
		if a, ok := any(a).([]uint8); ok {
			blockU8(dst, q, a, s)
			return
		}
	}
	panic(kern.Error(fmt.Sprintf("%s: no kernel for %T queries and %T rows", kernel, *new(Q), *new(E))))
}

// The following functions call the kernels for two vectors in loops. They contain the calls
// explicitly instead of a function value. Slices that are passed to a function value escape to the
// heap, and a caller's array could not stay on the stack.

func manyF64(dst []float32, q, a []float64, s manyShape) {
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = float32(kernels.DotF64(x, y))
			case l2Metric:
				*d = float32(L2F64(x, y))
			case cosineMetric:
				*d = float32(CosineF64(x, y))
			}
		}
	}
}

func manyF32(dst, q, a []float32, s manyShape) {
	switch {
	case s.cols == 0 || s.cols > kern.BlockLen || s.ids != nil || s.queries > 1 && s.rows < 4:
		pairsF32(dst, q, a, s)
	case s.queries == 1:
		rowsF32(dst, q, a, s)
	default:
		blocksF32(dst, s.rows, q, a, s)
	}
}

func pairsF32(dst, q, a []float32, s manyShape) {
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = kernels.DotF32(x, y)
			case l2Metric:
				*d = L2F32(x, y)
			case cosineMetric:
				*d = CosineF32(x, y)
			}
		}
	}
}

// rowsF32 compares one query with many rows, in calls that process about 1 MiB.
func rowsF32(dst, q, a []float32, s manyShape) {
	q = q[:s.cols]
	kern.RaceReadRows(a, s.rows, s.cols, s.stride)
	kern.RaceRead(q)
	kern.RaceWrite(dst)
	n := kern.RowsOf(4*kern.BlockLen, s.rows, s.cols)
	for j := 0; j < s.rows; j += n {
		m, rows := min(n, s.rows-j), a[j*s.stride:]
		switch d := dst[j : j+m]; s.metric {
		case dotMetric:
			kernels.GemvF32(d, q, rows, m, s.cols, s.stride)
		case l2Metric:
			l2RowsF32(d, q, rows, m, s.cols, s.stride)
		case cosineMetric:
			cosineRowsF32(d, q, rows, m, s.cols, s.stride)
		}
	}
}

// touchRows prefetches the start of a listed row. This row is about aheadBytes after row j in the
// list, but at least aheadRows rows after it. If j is 0, touchRows also prefetches all listed rows
// before this row.
func touchRows[E any](a []E, s *manyShape, j int) {
	if s.ids != nil && s.cols > 0 { // avoid a call if rows are not listed
		touchListed(a, s, j)
	}
}

func touchListed[E any](a []E, s *manyShape, j int) {
	element := int(unsafe.Sizeof(a[0]))
	size, start := s.cols*element, startBytes
	if len(a) > aheadMemory/element {
		start = startMemory
	}
	last := j + max(aheadRows, aheadBytes/size)
	first := last
	if j == 0 {
		first = 0
	}
	for k := first; k <= last && k < s.rows; k++ {
		fetch(unsafe.Pointer(&a[s.row(k)]), min(size, start))
	}
}

func manyF32F16(dst, q []float32, a []F16, s manyShape) {
	if wideBlocks(&s) {
		blocksWide(dst, q, a, s)
		return
	}
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = DotF32F16(x, y)
			case l2Metric:
				*d = L2F32F16(x, y)
			case cosineMetric:
				*d = CosineF32F16(x, y)
			}
		}
	}
}

func manyF32BF16(dst, q []float32, a []BF16, s manyShape) {
	if wideBlocks(&s) {
		blocksWide(dst, q, a, s)
		return
	}
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = DotF32BF16(x, y)
			case l2Metric:
				*d = L2F32BF16(x, y)
			case cosineMetric:
				*d = CosineF32BF16(x, y)
			}
		}
	}
}

func manyF32I8(dst, q []float32, a []int8, s manyShape) {
	if wideBlocks(&s) && s.queries >= byteQueries {
		blocksWide(dst, q, a, s)
		return
	}
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = DotF32I8(x, y)
			case l2Metric:
				*d = L2F32I8(x, y)
			case cosineMetric:
				*d = CosineF32I8(x, y)
			}
		}
	}
}

func manyF32U8(dst, q []float32, a []uint8, s manyShape) {
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = DotF32U8(x, y)
			case l2Metric:
				*d = L2F32U8(x, y)
			case cosineMetric:
				*d = CosineF32U8(x, y)
			}
		}
	}
}

func manyF16(dst []float32, q, a []F16, s manyShape) {
	if wideBlocks(&s) {
		blocksWide(dst, q, a, s)
		return
	}
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = DotF16(x, y)
			case l2Metric:
				*d = L2F16(x, y)
			case cosineMetric:
				*d = CosineF16(x, y)
			}
		}
	}
}

func manyBF16(dst []float32, q, a []BF16, s manyShape) {
	if wideBlocks(&s) {
		blocksWide(dst, q, a, s)
		return
	}
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = DotBF16(x, y)
			case l2Metric:
				*d = L2BF16(x, y)
			case cosineMetric:
				*d = CosineBF16(x, y)
			}
		}
	}
}

// checkRows panics if the shapes of a query and a matrix do not match.
func checkRows[Q, E any](kernel string, dst []float32, q []Q, a []E, rows, cols, stride int) {
	if len(dst) != rows {
		panic(kern.Lengths(kernel+": len(dst) and rows differ: %d and %d", len(dst), rows))
	}
	checkVector(kernel, dst, q, cols)
	kern.CheckMatrix(kernel, dst, a, rows, cols, stride)
}

func checkVector[Q any](kernel string, dst []float32, q []Q, cols int) {
	switch {
	case len(q) != cols:
		panic(kern.Lengths(kernel+": len(q) and cols differ: %d and %d", len(q), cols))
	case kern.Overlaps(dst, q):
		panic(kern.Error(kernel + ": dst overlaps q"))
	}
}

func checkIDs[Q, E any](kernel string, dst []float32, q []Q, a []E, cols, stride int, ids []int32) {
	if len(dst) != len(ids) {
		panic(kern.Lengths(kernel+": len(dst) and len(ids) differ: %d and %d", len(dst), len(ids)))
	}
	checkVector(kernel, dst, q, cols)
	kern.CheckMatrix(kernel, dst, a, 0, cols, stride)
	if kern.Overlaps(dst, ids) {
		panic(kern.Error(kernel + ": dst overlaps ids"))
	}
	rows := rowsIn(len(a), cols, stride)
	limit, highest := uint64(1<<31), uint32(0)
	if stride > 0 { // without elements, every ID is valid, even if int has 32 bits
		limit = min(limit, uint64(rows))
	}
	for _, id := range ids {
		highest = max(highest, uint32(id)) // a negative ID is at least 1<<31
	}
	if len(ids) == 0 || uint64(highest) < limit {
		return
	}
	for _, id := range ids {
		if uint64(uint32(id)) >= limit {
			panic(kern.Lengths(kernel+": ID %d is out of range: there are %d rows", int(id), rows))
		}
	}
}

// rowsIn returns the number of rows in a matrix of n elements. It returns math.MaxInt if cols and
// stride are 0.
func rowsIn(n, cols, stride int) int {
	switch {
	case n < cols:
		return 0
	case stride == 0:
		return math.MaxInt
	}
	return (n-cols)/stride + 1
}

// checkBlock panics if the shapes of the queries and a matrix do not match.
func checkBlock[Q, E any](kernel string, dst []float32, q []Q, queries, qstride int, a []E, rows, cols, stride int) {
	for _, n := range []int{queries, rows, cols} {
		if n < 0 {
			panic(kern.Value(kernel+": queries, rows and cols must not be negative, but one is %v", float64(n)))
		}
	}
	hi, lo := bits.Mul(uint(queries), uint(rows))
	switch {
	case hi != 0 || lo != uint(len(dst)):
		panic(kern.Error(fmt.Sprintf("%s: len(dst) is %d; it must be queries·rows, %d·%d", kernel, len(dst), queries,
			rows)))
	case qstride < cols:
		panic(kern.Lengths(kernel+": qstride is %d; it must be at least cols, %d", qstride, cols))
	case queries > 0 && !kern.Holds(len(q), queries, cols, qstride):
		panic(kern.Error(fmt.Sprintf("%s: q has %d elements, too few for %d queries of %d elements with stride %d",
			kernel, len(q), queries, cols, qstride)))
	case kern.Overlaps(dst, q):
		panic(kern.Error(kernel + ": dst overlaps q"))
	}
	kern.CheckMatrix(kernel, dst, a, rows, cols, stride)
}
