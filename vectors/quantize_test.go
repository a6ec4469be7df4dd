package vectors

import (
	"math"
	"math/bits"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

var _ = register(
	entry{
		Name:    "ScaleI8",
		Lengths: vectorLengths,
		Long:    noLengths,
		Args:    func(d *draw, n int) []any { return []any{d.F32s(n), make([]float32, 1)} },
		Call:    func(a []any) { a[1].([]float32)[0] = ScaleI8(a[0].([]float32)) },
		Spec: func(a []any) {
			size := 0.0
			for _, v := range a[0].([]float32) {
				if v := math.Abs(float64(v)); v <= math.MaxFloat32 {
					size = max(size, v)
				}
			}
			a[1].([]float32)[0] = float32(size) / 127
		},
		Writes: []int{1},
	},
	entry{
		Name:    "QuantizeI8",
		Lengths: vectorLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			src, scale := d.F32s(n), []float32{0, 0x1p-149, 1e-40, 0.5, 0.013, math.MaxFloat32}[d.IntN(6)]
			for i := range src {
				switch d.IntN(4) {
				case 0: // half of an odd number of steps, or near it
					src[i] = float32(d.IntN(520)-260) / 2 * scale
				case 1:
					src[i] = math.Float32frombits(math.Float32bits(src[i]*127*scale) + uint32(d.IntN(3)))
				}
			}
			return []any{make([]int8, n), src, scale}
		},
		Call: func(a []any) { QuantizeI8(a[0].([]int8), a[1].([]float32), a[2].(float32)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]float32) {
				steps := float64(v / a[2].(float32))
				if steps != steps {
					steps = 0
				}
				a[0].([]int8)[i] = int8(math.RoundToEven(min(max(steps, -127), 127)))
			}
		},
		Writes: []int{0},
	},
	entry{
		Name:    "DequantizeI8",
		Lengths: vectorLengths,
		Long:    noLengths,
		Args:    func(d *draw, n int) []any { return []any{make([]float32, n), drawnBytes[int8](d, n), d.F32()} },
		Call:    func(a []any) { DequantizeI8(a[0].([]float32), a[1].([]int8), a[2].(float32)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]int8) {
				a[0].([]float32)[i] = float32(float64(v) * float64(a[2].(float32)))
			}
		},
		Writes: []int{0},
	},
	entry{
		Name:    "SignBits",
		Lengths: vectorLengths,
		Long:    noLengths,
		Args:    func(d *draw, n int) []any { return []any{make([]uint64, (n+63)/64), d.F32s(n)} },
		Call:    func(a []any) { SignBits(a[0].([]uint64), a[1].([]float32)) },
		Spec: func(a []any) {
			clear(a[0].([]uint64))
			for i, v := range a[1].([]float32) {
				if v > 0 {
					a[0].([]uint64)[i/64] += 1 << (i % 64)
				}
			}
		},
		Writes: []int{0},
	},
)

// The bounds that the doc comments of the quantizers state.
func TestQuantizeError(t *testing.T) {
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			d := testkit.NewDraw(21, 22, false)
			for n := 1; n < 300; n += 7 {
				src, y := d.F32s(n), d.F32s(n)
				for i := range src {
					src[i] *= float32(math.Ldexp(1, 20-n%140)) // down to scales near 2^−126
				}
				scale := ScaleI8(src) * []float32{1, 1, 3}[n%3]
				codes, back, again := make([]int8, n), make([]float32, n), make([]int8, n)
				QuantizeI8(codes, src, scale)
				DequantizeI8(back, codes, scale)
				QuantizeI8(again, back, scale)
				exact, approximate, size := 0.0, 0.0, 0.0
				for i, v := range src {
					if err := math.Abs(float64(v) - float64(scale)*float64(codes[i])); err > .50001*float64(scale) {
						t.Errorf("%v at scale %v is off by %v", v, scale, err)
					}
					if codes[i] != again[i] {
						t.Errorf("%d at scale %v becomes %v, and that %d", codes[i], scale, back[i], again[i])
					}
					exact += float64(v) * float64(y[i])
					approximate += float64(scale) * float64(codes[i]) * float64(y[i])
					size += math.Abs(float64(y[i]))
				}
				if err := math.Abs(exact - approximate); err > .50001*float64(scale)*size*(1+1e-9) {
					t.Errorf("a product is off by %v", err)
				}
				words := make([]uint64, (n+63)/64)
				SignBits(words, src)
				positive, squares, sum := 0, 0.0, 0.0
				for _, v := range src {
					squares, sum = squares+float64(v)*float64(v), sum+math.Abs(float64(v))
					if v > 0 {
						positive++
					}
				}
				set, m, off := 0, sum/float64(n), 0.0
				for i, v := range src {
					set += int(words[i/64] >> (i % 64) & 1)
					off += math.Pow(float64(v)-math.Copysign(m, float64(v)), 2)
				}
				for _, w := range words {
					set -= bits.OnesCount64(w)
				}
				if want := squares - float64(n)*m*m; set != 0 || math.Abs(off-want) > 1e-9*squares {
					t.Errorf("n = %d: %d bits beyond, %v off, want %v", n, -set, off, want)
				}
			}
			restore()
		})
	}
}

// The conversion error of every float32 in the range of a half is within the bound of its doc
// comment.
func TestHalvesError(t *testing.T) {
	d := testkit.NewDraw(23, 24, false)
	for range 20_000 {
		v := math.Float32frombits(d.Uint32())
		size := math.Abs(float64(v))
		if off := math.Abs(float64(NewF16(v).Float32()) - float64(v)); size < 65520 &&
			off > max(size*0x1p-11, 0x1p-25) {
			t.Errorf("%v as float16 is off by %v", v, off)
		}
		if off := math.Abs(float64(NewBF16(v).Float32()) - float64(v)); size < 3.38e38 &&
			off > max(size*0x1p-8, 0x1p-134) {
			t.Errorf("%v as bfloat16 is off by %v", v, off)
		}
	}
}

func TestQuantizeLong(t *testing.T) {
	const n = 2*kern.BlockLen + 100
	src := make([]float32, n)
	src[n-1], src[kern.BlockLen-1], src[3] = -254, 2, float32(math.Inf(1))
	if scale := ScaleI8(src); scale != 2 {
		t.Errorf("ScaleI8 = %v, want 2", scale)
	}
}
