// A [Table] has the tests that every kernel passes. A package of kernels lists its own in
// a Table.

package testkit

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// A Table lists the kernels of a package. Tests that are specific to a kernel are in the test file
// of its family.
type Table []Entry

// An Entry describes a kernel for the tests that every kernel passes. All tiers must return the
// bits of its specification, at every length, placement and special value, and access no other
// memory.
type Entry struct {
	Name string // the exported function

	// Lengths are tried with every kind of values and in every placement. nil means ShortLengths.
	Lengths []int

	// Long lists lengths that are tried once. nil means LongLengths.
	Long []int

	// Cases returns operands for TestCases: edge cases of the kernel that random operands hardly
	// ever contain.
	Cases func() [][]any

	// Args returns random operands for length n: slices of numbers, and scalars. The return value
	// of a kernel is written to a slice of length 1, which is an additional operand.
	Args func(d *Draw, n int) []any

	// Writes lists the indices of the operands that the kernel may change.
	Writes []int

	// Call calls the exported function. It must not allocate.
	Call func(args []any)

	// Spec computes the same in simple code, exactly as the doc comment specifies.
	Spec func(args []any)
}

var (
	ShortLengths = func() (n []int) {
		for i := range 161 {
			n = append(n, i)
		}
		return append(n, 191, 192, 193, 220, 255, 256, 257, 320, 511, 512, 513, 700, 1000, 1023, 1024, 1025)
	}()
	LongLengths = []int{4095, 4097, kern.BlockLen - 1, kern.BlockLen, kern.BlockLen + 1, 2*kern.BlockLen + 37}
)

// A Draw supplies the random numbers of a test.
type Draw struct {
	*rand.Rand
	Special bool // many zeros of both signs, subnormals, huge values, infinities and NaN

	// Slices of floats repeat after so many elements unless it is 0: to draw a number takes longer
	// than most kernels take with it, above all in emulation.
	period int

	terms int // of NormFloat64
}

// aPeriod is a prime: no block of a kernel sees what another one does.
const aPeriod = 4099

// NewDraw returns a source of numbers determined by the two seeds.
func NewDraw(seed1, seed2 uint64, special bool) *Draw {
	return &Draw{Rand: rand.New(rand.NewPCG(seed1, seed2)), Special: special, period: aPeriod, terms: 3}
}

func (d *Draw) F64() float64 {
	if !d.Special {
		return d.NormFloat64()
	}
	switch d.IntN(12) {
	case 0:
		return 0
	case 1:
		return math.Copysign(0, -1)
	case 2:
		return math.Float64frombits(d.Uint64() & (1<<63 | 1<<52 - 1)) // subnormal
	case 3:
		// products underflow
		return math.Copysign(math.Ldexp(1+d.Float64(), -530-d.IntN(20)), d.NormFloat64())
	case 4:
		// products overflow
		return math.Copysign(math.Ldexp(1+d.Float64(), 508+d.IntN(8)), d.NormFloat64())
	case 5, 6, 7:
		return float64(d.IntN(7) - 3)
	case 8:
		if d.IntN(40) == 0 {
			return []float64{math.Inf(1), math.Inf(-1), math.NaN()}[d.IntN(3)]
		}
	}
	return math.Ldexp(d.NormFloat64(), d.IntN(60)-30)
}

func (d *Draw) F32() float32 {
	if !d.Special {
		return float32(d.NormFloat64())
	}
	switch d.IntN(12) {
	case 0:
		return 0
	case 1:
		return float32(math.Copysign(0, -1))
	case 2:
		return math.Float32frombits(d.Uint32() & (1<<31 | 1<<23 - 1)) // subnormal
	case 3:
		// products underflow
		return float32(math.Copysign(math.Ldexp(1+d.Float64(), -64-d.IntN(20)), d.NormFloat64()))
	case 4:
		// products overflow
		return float32(math.Copysign(math.Ldexp(1+d.Float64(), 60+d.IntN(8)), d.NormFloat64()))
	case 5, 6, 7:
		return float32(d.IntN(7) - 3)
	case 8:
		if d.IntN(40) == 0 {
			return float32([]float64{math.Inf(1), math.Inf(-1), math.NaN()}[d.IntN(3)])
		}
	case 9: // few bits: sums that lie halfway between two float32
		return float32(math.Ldexp(float64(d.IntN(1<<13)), d.IntN(24)-12))
	}
	return float32(math.Ldexp(d.NormFloat64(), d.IntN(60)-30))
}

func (d *Draw) F64s(n int) []float64 { return draws(n, d.period, d.F64) }

func (d *Draw) F32s(n int) []float32 { return draws(n, d.period, d.F32) }

func draws[T any](n, period int, draw func() T) []T {
	s := make([]T, n)
	for i := range s {
		if i < period || period == 0 {
			s[i] = draw()
		} else {
			s[i] = s[i-period]
		}
	}
	return s
}

// Test compares every tier with the specification, on plain slices.
func (table Table) Test(t *testing.T) {
	for _, e := range table {
		t.Run(e.Name, func(t *testing.T) {
			for _, special := range []bool{false, true} {
				d := NewDraw(1, 2, special)
				for _, n := range e.allLengths() {
					args := e.Args(d, n)
					want := cloneArgs(args)
					e.Spec(want)
					for _, tier := range cpu.Available() {
						got := cloneArgs(args)
						restore := cpu.Force(tier)
						e.Call(got)
						restore()
						if err := e.compare(args, got, want); err != nil {
							t.Fatalf("%v, n = %d, special values %v: %v", tier, n, special, err)
						}
					}
				}
			}
		})
	}
}

// TestCases compares every tier with the specification on the operands listed in an entry.
func (table Table) TestCases(t *testing.T) {
	for _, e := range table {
		if e.Cases == nil {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			for i, args := range e.Cases() {
				want := cloneArgs(args)
				e.Spec(want)
				for _, tier := range cpu.Available() {
					got := cloneArgs(args)
					restore := cpu.Force(tier)
					e.Call(got)
					restore()
					if err := e.compare(args, got, want); err != nil {
						t.Errorf("%v, case %d: %v", tier, i, err)
					}
				}
			}
		})
	}
}

// TestCores runs Test, TestCases, TestPlaces and TestAllocations of the named kernels as every kind
// of processor. These kernels depend on the kind.
func (table Table) TestCores(t *testing.T, names ...string) {
	cores := cpu.Cores()
	if len(cores) == 1 {
		t.Skip("no tier here tells processors apart")
	}
	var entries Table
	for _, e := range table {
		if slices.Contains(names, e.Name) {
			entries = append(entries, e)
		}
	}
	if len(entries) != len(names) {
		t.Fatalf("%d of %d kernels are in the table", len(entries), len(names))
	}
	for _, core := range cores {
		t.Run(core.String(), func(t *testing.T) {
			defer cpu.ForceCore(core)()
			t.Run("Table", entries.Test)
			t.Run("Cases", entries.TestCases)
			t.Run("Places", entries.TestPlaces)
			t.Run("Allocations", entries.TestAllocations)
		})
	}
}

// TestPlaces runs every tier with its operands next to guard pages and at every misalignment.
func (table Table) TestPlaces(t *testing.T) {
	if PlainAlone() {
		t.Skip("plain Go panics where it would touch what is outside of its operands")
	}
	for _, e := range table {
		t.Run(e.Name, func(t *testing.T) {
			d := NewDraw(3, 4, false)
			var buffers []*Buffer
			var room []int // bytes that each buffer holds
			for _, n := range e.shortLengths() {
				args := e.Args(d, n)
				for i, a := range args {
					if i == len(buffers) {
						buffers, room = append(buffers, nil), append(room, -1)
					}
					if size := byteLen(a); size > room[i] {
						buffers[i], room[i] = NewBuffer(t, size+size/2), size+size/2
					}
				}
				want := cloneArgs(args)
				e.Spec(want)
				for _, tier := range cpu.Available() {
					tries := 8
					if tier == cpu.Generic || Race {
						tries = 2 // Go cannot tell where its operands lie, nor does it matter to the detector
					}
					for try := range tries {
						place := func(elem int) Place {
							if try < 2 {
								return Place{End: try == 0}
							}
							all := Places(elem)
							return all[d.IntN(len(all))]
						}
						got := make([]any, len(args))
						var where []Place
						for i, a := range args {
							p := place(elemSize(a))
							where = append(where, p)
							got[i] = copyTo(buffers[i], a, p)
						}
						restore := cpu.Force(tier)
						err := NoFault(func() { e.Call(got) })
						restore()
						if err == nil {
							err = e.compare(args, got, want)
						}
						for i := range args {
							if isSlice(args[i]) && err == nil {
								if err = buffers[i].Check(); err != nil {
									err = fmt.Errorf("operand %d: %v", i, err)
								}
							}
						}
						if err != nil {
							t.Fatalf("%v, n = %d, operands %v: %v", tier, n, where, err)
						}
					}
				}
			}
		})
	}
}

// TestAllocations checks that a kernel does not allocate.
func (table Table) TestAllocations(t *testing.T) {
	if Race {
		t.Skip("the race detector allocates")
	}
	for _, e := range table {
		t.Run(e.Name, func(t *testing.T) {
			d := NewDraw(5, 6, false)
			for _, n := range []int{0, 7, 200, e.allLengths()[len(e.allLengths())-1]} {
				args := e.Args(d, n)
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					if a := testing.AllocsPerRun(3, func() { e.Call(args) }); a != 0 {
						t.Errorf("%v, n = %d: %v allocations per call", tier, n, a)
					}
					restore()
				}
			}
		})
	}
}

// TestExamples checks that every exported kernel has an example or is named in the comment of one.
func (table Table) TestExamples(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Skip(err)
	}
	for _, e := range table {
		if 'A' <= e.Name[0] && e.Name[0] <= 'Z' && !regexp.MustCompile(`\b(Example)?`+e.Name+`\b`).Match(source) {
			t.Errorf("%s has no example", e.Name)
		}
	}
}

// fewLengths are those of ShortLengths that tell whether another architecture compiles plain Go as
// it should, and what the race detector is told.
var fewLengths = []int{
	0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129, 220, 256, 700, 1025,
}

func (e *Entry) shortLengths() []int {
	switch {
	case e.Lengths != nil:
		return e.Lengths
	case PlainAlone() || Race:
		return fewLengths
	}
	return ShortLengths
}

// PlainAlone reports whether the tests are emulated and run only Go code.
func PlainAlone() bool { return testing.Short() && len(cpu.Available()) == 1 }

func (e *Entry) allLengths() []int {
	long := LongLengths
	if e.Long != nil {
		long = e.Long
	}
	if testing.Short() && e.Lengths != nil {
		long = long[:min(1, len(long))] // emulated; kernels with lengths of their own are quadratic
	} else if (PlainAlone() || Race) && len(long) > 1 {
		long = long[len(long)-1:] // the longest one is cut into blocks
	}
	return append(slices.Clone(e.shortLengths()), long...)
}

// compare returns an error unless got holds want in the operands that the
// kernel writes and args, what it was given, in the others.
func (e *Entry) compare(args, got, want []any) error {
	for i := range args {
		expect, what := args[i], "input"
		if slices.Contains(e.Writes, i) {
			expect, what = want[i], "output"
		}
		if k := Differs(got[i], expect); k >= 0 {
			g, w := reflect.ValueOf(got[i]).Index(k), reflect.ValueOf(expect).Index(k)
			return fmt.Errorf("operand %d (%s): element %d is %v, want %v", i, what, k, g, w)
		}
	}
	return nil
}

// Differs returns the index of the first element whose bits differ, or −1 if there is none. NaNs
// are equal to each other, and scalars are not compared.
func Differs(got, want any) int {
	switch got := got.(type) {
	case []float64:
		want := want.([]float64)
		for i := range got {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
				return i
			}
		}
	case []float32:
		want := want.([]float32)
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
				return i
			}
		}
	default:
		// Asking reflect for each element takes most of the time of a test in emulation.
		if !isSlice(got) || bytes.Equal(memory(got), memory(want)) {
			return -1
		}
		for i, g, w := 0, reflect.ValueOf(got), reflect.ValueOf(want); i < g.Len(); i++ {
			if !g.Index(i).Equal(w.Index(i)) {
				return i
			}
		}
	}
	return -1
}

// memory returns the bytes of a slice of numbers.
func memory(s any) []byte {
	return unsafe.Slice((*byte)(reflect.ValueOf(s).UnsafePointer()), byteLen(s))
}

func isSlice(a any) bool { return reflect.TypeOf(a).Kind() == reflect.Slice }

func elemSize(a any) int {
	if !isSlice(a) {
		return 1
	}
	return int(reflect.TypeOf(a).Elem().Size())
}

func byteLen(a any) int {
	if !isSlice(a) {
		return 0
	}
	return reflect.ValueOf(a).Len() * elemSize(a)
}

// cloneArgs returns copies. Their capacities differ from all lengths: assembly that takes the one
// for the other is found out.
func cloneArgs(args []any) []any {
	c := make([]any, len(args))
	for i, a := range args {
		c[i] = a
		if isSlice(a) {
			v := reflect.ValueOf(a)
			s := reflect.MakeSlice(v.Type(), v.Len(), v.Len()+3+2*i)
			reflect.Copy(s, v)
			c[i] = s.Interface()
		}
	}
	return c
}

// copyTo is [Copy] for an operand of any type.
func copyTo(b *Buffer, a any, p Place) any {
	if !isSlice(a) {
		return a
	}
	v := reflect.ValueOf(a)
	raw := Copy(b, unsafe.Slice((*byte)(v.UnsafePointer()), byteLen(a)), p)
	return reflect.SliceAt(v.Type().Elem(), unsafe.Pointer(unsafe.SliceData(raw)), v.Len()).Interface()
}

// NoFault returns an error if f accesses memory that it must not access.
func NoFault(f func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	f()
	return nil
}
