package vectors

//go:generate go run ../ci/dispatch vectors

// The L2 and cosine kernels of float32 and float64 share bodies and type headers with the dot
// products of package kernels. The following commands copy them.
//go:generate cp ../kernels/dispatch_amd64.h ../kernels/vector_amd64.h .
//go:generate sh -c "cp ../kernels/dot_*.h ../kernels/sum_*.h ../kernels/tail_*.h ."
//go:generate sh -c "cp ../kernels/f32_*.h ../kernels/f64_*.h ."
//go:generate sh -c "cp ../kernels/lanes_*.h ../kernels/clear_*.h ."

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

// JaccardBits returns the Jaccard index |x∩y| / |x∪y| of two bit sets. The sizes of x∩y and x∪y are
// exact. Their quotient is computed in float64 and then rounded to float32. If no bit is set, the
// result is 1, as in scipy.spatial.distance.jaccard. x and y may overlap.
//
// It panics if the lengths differ.
func JaccardBits(x, y []uint64) float32 {
	if len(x) != len(y) {
		panic(kern.Lengths("vectors: JaccardBits: len(x) and len(y) differ: %d and %d", len(x), len(y)))
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	both, either := jaccardBits(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
	if either == 0 {
		return 1
	}
	return float32(float64(both) / float64(either))
}

// jaccardBitsLong adds the counts of the blocks if slices are longer than kern.BlockLen.
func jaccardBitsLong(x, y []uint64) (both, either int64) {
	for at := 0; at < len(x); at += kern.BlockLen {
		end := min(at+kern.BlockLen, len(x))
		b, e := jaccardBits(&x[at], &y[at], end-at)
		both, either = both+b, either+e
	}
	return both, either
}
