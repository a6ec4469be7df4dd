package fuzz

import (
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/vectors"
)

// fuzzMany converts the numbers to a matrix, and lists its rows. The first rows are also the
// queries.
func fuzzMany[T vectors.Element](f *testing.F, name string, decode func(data []byte, skip uint8) []T,
	rows func(dst []float32, q, a []T, rows, cols, stride int),
	listed func(dst []float32, q, a []T, cols, stride int, ids []int32),
	block func(dst []float32, q []T, queries, qstride int, a []T, rows, cols, stride int)) {
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := decode(data, pad)
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		queries := min(s.rows, 1+int(pad%5))
		checkTiers(t, name, func() []float64 {
			n := s.rows
			dst, ids := make([]float32, (2+queries)*n), make([]int32, n)
			for i := range ids {
				ids[i] = int32(i * 7 % n)
			}
			rows(dst[:n], a[:s.cols], a, n, s.cols, s.stride)
			listed(dst[n:2*n], a[:s.cols], a, s.cols, s.stride, ids)
			block(dst[2*n:], a, queries, s.stride, a, n, s.cols, s.stride)
			return widened(dst...)
		})
	})
}

// These targets run the exported kernels for rows, IDs and blocks, and the kernels that these call.

// FuzzDotMany runs dotBlockF32 and fetch.
func FuzzDotMany(f *testing.F) {
	linearSeeds(f, 4)
	fuzzMany(f, "DotRows, DotIDs, DotBlock", float32s, vectors.DotRows, vectors.DotIDs, vectors.DotBlock)
}

// FuzzL2Many runs l2RowsF32 and l2BlockF32.
func FuzzL2Many(f *testing.F) {
	linearSeeds(f, 4)
	fuzzMany(f, "L2Rows, L2IDs, L2Block", float32s, vectors.L2Rows, vectors.L2IDs, vectors.L2Block)
}

// FuzzCosineMany runs cosineRowsF32 and cosinesF32.
func FuzzCosineMany(f *testing.F) {
	linearSeeds(f, 4)
	fuzzMany(f, "CosineRows, CosineIDs, CosineBlock", float32s, vectors.CosineRows, vectors.CosineIDs,
		vectors.CosineBlock)
}

func FuzzCosineManyF16(f *testing.F) {
	linearSeeds(f, 4)
	fuzzMany(f, "CosineRows, CosineIDs, CosineBlock", halves[vectors.F16], vectors.CosineRows, vectors.CosineIDs,
		vectors.CosineBlock)
}

func FuzzL2ManyBF16(f *testing.F) {
	linearSeeds(f, 4)
	fuzzMany(f, "L2Rows, L2IDs, L2Block", halves[vectors.BF16], vectors.L2Rows, vectors.L2IDs, vectors.L2Block)
}

func FuzzHammingMany(f *testing.F) {
	linearSeeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		v := halves[vectors.F16](data, pad)
		a := make([]uint64, len(v))
		for i, w := range v {
			a[i] = uint64(w) * 0x9e3779b97f4a7c15
		}
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		checkTiers(t, "HammingRows, HammingIDs, HammingBlock", func() []float64 {
			dst := make([]float32, 3*s.rows)
			vectors.HammingRows(dst[:s.rows], a[:s.cols], a, s.rows, s.cols, s.stride)
			vectors.HammingIDs(dst[s.rows:s.rows+1], a[:s.cols], a, s.cols, s.stride, []int32{int32(s.rows - 1)})
			vectors.HammingBlock(dst[2*s.rows:], a, 1, s.stride, a, s.rows, s.cols, s.stride)
			return widened(dst...)
		})
	})
}

// fuzzBlock converts the bytes to rows. There are enough rows for panels, and the first ones are
// also the queries. Several rows share a byte of the data.
func fuzzBlock(f *testing.F, name string, block func(dst []float32, v []uint8, queries, rows, cols, stride int)) {
	for i, n := range []int{1, 30, 130, 700} {
		d := make([]byte, n)
		for k := range d {
			d[k] = []byte{0x80, 0x7f, 0, 0xff, byte(k * 37)}[k*7%5]
		}
		f.Add(d, uint8(i*25), uint8(i*90))
	}
	f.Fuzz(func(t *testing.T, data []byte, shape, pad uint8) {
		if len(data) == 0 {
			return
		}
		queries, rows := 2+int(shape%37), 256+int(pad)
		cols := min(len(data), 700)
		stride := cols + int(pad%8)
		v := make([]uint8, int(pad%64)+rows*stride)[pad%64:]
		for i := range v {
			v[i] = data[i*7%len(data)]
		}
		checkTiers(t, name, func() []float64 {
			dst := make([]float32, queries*rows)
			block(dst, v, queries, rows, cols, stride)
			return widened(dst...)
		})
	})
}

// FuzzBlockI8 runs blockI8.
func FuzzBlockI8(f *testing.F) {
	fuzzBlock(f, "L2Block", func(dst []float32, v []uint8, queries, rows, cols, stride int) {
		x := unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
		vectors.L2Block(dst, x, queries, stride, x, rows, cols, stride)
	})
}

func FuzzBlockU8(f *testing.F) {
	fuzzBlock(f, "CosineBlock", func(dst []float32, v []uint8, queries, rows, cols, stride int) {
		vectors.CosineBlock(dst, v, queries, stride, v, rows, cols, stride)
	})
}

// FuzzBlockBits uses each byte as a word.
func FuzzBlockBits(f *testing.F) {
	fuzzBlock(f, "HammingBlock", func(dst []float32, v []uint8, queries, rows, cols, stride int) {
		x := make([]uint64, len(v))
		for i, b := range v {
			x[i] = uint64(b) * 0x9e3779b97f4a7c15
		}
		vectors.HammingBlock(dst, x, queries, stride, x, rows, cols, stride)
	})
}
