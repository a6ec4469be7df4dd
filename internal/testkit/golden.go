package testkit

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
)

// Update is the flag with which tests write the files that they compare with, such as golden.txt
// from the results of the generic tier. It is not named -update because a package of Beam defines
// that flag.
var Update = flag.Bool("write-golden", false, "write the files that the tests compare with")

// golden has a line for each kernel of the table: its name, the hash of the operands
// that its name seeds, and the hash of what it makes of them. ci reads the same file on
// every architecture.
const golden = "golden.txt"

// goldenLengths are those of the golden operands; kernels with lengths of their own use these.
var goldenLengths = []int{0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 46, 63, 64, 65, 100, 127, 136, 220, 256, 700, 1023}

// TestGolden compares the results for seeded operands with the package's testdata/golden.txt. This
// ensures bit-identical results on every architecture, not only on every tier of this machine.
func (table Table) TestGolden(t *testing.T) {
	path := filepath.Join("testdata", golden)
	if *Update {
		var out strings.Builder
		for _, e := range table {
			in, results := e.hashes([]cpu.Tier{cpu.Generic})
			fmt.Fprintf(&out, "%s %016x %016x\n", e.Name, in, results[0])
		}
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type pair struct{ in, result uint64 }
	want := map[string]pair{}
	for line := range strings.Lines(string(raw)) {
		var name string
		var p pair
		if _, err := fmt.Sscanf(line, "%s %x %x\n", &name, &p.in, &p.result); err != nil {
			t.Fatalf("%s: %q: %v", path, line, err)
		}
		want[name] = p
	}
	for _, e := range table {
		w, ok := want[e.Name]
		delete(want, e.Name)
		t.Run(e.Name, func(t *testing.T) {
			if !ok {
				t.Errorf("%s has no line for it: go test -run Golden -write-golden", path)
				return
			}
			in, results := e.hashes(cpu.Available())
			if in != w.in {
				t.Errorf("the operands hash to %016x, not to %016x: they were not made by exact arithmetic, or the table has changed", in, w.in)
			}
			for i, tier := range cpu.Available() {
				if results[i] != w.result {
					t.Errorf("%v: the results hash to %016x, not to %016x", tier, results[i], w.result)
				}
			}
		})
	}
	for name := range want {
		t.Errorf("%s: a line for %s, which is not in the table", path, name)
	}
}

// hashes returns the hash of the operands that the kernel's name seeds and those of what each of
// the tiers makes of them.
func (e *Entry) hashes(tiers []cpu.Tier) (in uint64, results []uint64) {
	seed := fnv.New64a()
	seed.Write([]byte(e.Name))
	hi, hr := fnv.New64a(), make([]hash.Hash64, len(tiers))
	for i := range hr {
		hr[i] = fnv.New64a()
	}
	var raw []byte
	for _, special := range []bool{false, true} {
		d := NewDraw(seed.Sum64(), 1, special)
		d.period, d.terms = 0, 12
		lengths := goldenLengths
		if e.Lengths != nil {
			lengths = e.Lengths
		}
		for _, n := range lengths {
			args := e.Args(d, n)
			raw = raw[:0]
			for _, a := range args {
				raw = appendOperand(raw, a)
			}
			hi.Write(raw)
			for i, tier := range tiers {
				got := cloneArgs(args)
				restore := cpu.Force(tier)
				e.Call(got)
				restore()
				raw = raw[:0]
				for k, a := range got {
					if slices.Contains(e.Writes, k) {
						raw = appendOperand(raw, a)
					}
				}
				hr[i].Write(raw)
			}
		}
	}
	for _, h := range hr {
		results = append(results, h.Sum64())
	}
	return hi.Sum64(), results
}

// appendOperand appends what is hashed of an operand: the bits of floats as float64, every NaN as
// the same, and other numbers as text. To ask reflect and fmt for each element takes longer than
// the kernels do.
func appendOperand(raw []byte, a any) []byte {
	switch a := a.(type) {
	case []float64:
		return appendFloats(raw, a...)
	case []float32:
		return appendFloats(raw, a...)
	case float64:
		return appendFloats(raw, a)
	case float32:
		return appendFloats(raw, a)
	case []int8:
		return appendInts(raw, a)
	case []uint8:
		return appendInts(raw, a)
	case []uint16:
		return appendInts(raw, a)
	case []int32:
		return appendInts(raw, a)
	case []uint32:
		return appendInts(raw, a)
	case []int64:
		return appendInts(raw, a)
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Slice {
		for i := range v.Len() {
			raw = appendOperand(raw, v.Index(i).Interface())
		}
		return raw
	}
	return fmt.Append(raw, a, " ")
}

func appendFloats[T float32 | float64](raw []byte, x ...T) []byte {
	for _, v := range x {
		f := float64(v)
		if f != f {
			f = math.NaN()
		}
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(f))
	}
	return raw
}

func appendInts[T int8 | uint8 | uint16 | int32 | uint32 | int64](raw []byte, x []T) []byte {
	for _, n := range x {
		raw = append(strconv.AppendInt(raw, int64(n), 10), ' ')
	}
	return raw
}

// NormFloat64 replaces the method of Rand, which uses math.Exp and math.Log, whose last bit differs
// between architectures. It sums terms numbers: 12 for operands of golden files and 3 for all
// others, because emulators are slow at random numbers and at the divisions of Float64.
func (d *Draw) NormFloat64() float64 {
	s := -0x1p52 * float64(d.terms)
	for range d.terms {
		s += float64(d.Uint64() << 11 >> 11)
	}
	if d.terms == 3 {
		return s * 0x1p-52
	}
	return s * 0x1p-53
}
