package kerntest

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
)

var update = flag.Bool("update", false, "write testdata/golden.txt from what the generic tier returns")

// golden has a line for each kernel of the table: its name, the hash of the operands
// that its name seeds, and the hash of what it makes of them. ci reads the same file on
// every architecture.
const golden = "golden.txt"

// goldenLengths are those of the golden operands; kernels with lengths of their own use these.
var goldenLengths = []int{0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 46, 63, 64, 65, 100, 127, 136, 220, 256, 700, 1023}

// TestGolden compares the results of seeded operands with testdata/golden.txt of the package: the
// same bits on every architecture, not only on every tier of this one.
func (table Table) TestGolden(t *testing.T) {
	path := filepath.Join("testdata", golden)
	if *update {
		defer cpu.Force(cpu.Generic)()
		var out strings.Builder
		for _, e := range table {
			in, result := e.hashes()
			fmt.Fprintf(&out, "%s %016x %016x\n", e.Name, in, result)
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
		if !ok {
			t.Errorf("%s: %s has no line for it: go test -run Golden -update", e.Name, path)
			continue
		}
		delete(want, e.Name)
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			in, result := e.hashes()
			restore()
			switch {
			case in != w.in:
				t.Errorf("%s, %v: the operands hash to %016x, not to %016x: they were not made by exact arithmetic, or the table has changed", e.Name, tier, in, w.in)
			case result != w.result:
				t.Errorf("%s, %v: the results hash to %016x, not to %016x", e.Name, tier, result, w.result)
			}
		}
	}
	for name := range want {
		t.Errorf("%s: a line for %s, which is not in the table", path, name)
	}
}

// hashes returns the hash of the operands that the kernel's name seeds and that
// of what the active tier makes of them.
func (e *Entry) hashes() (in, result uint64) {
	seed := fnv.New64a()
	seed.Write([]byte(e.Name))
	hi, hr := fnv.New64a(), fnv.New64a()
	for _, special := range []bool{false, true} {
		d := NewDraw(seed.Sum64(), 1, special)
		lengths := goldenLengths
		if e.Lengths != nil {
			lengths = e.Lengths
		}
		for _, n := range lengths {
			args := e.Args(d, n)
			for _, a := range args {
				hashOperand(hi, a)
			}
			e.Call(args)
			for i, a := range args {
				if slices.Contains(e.Writes, i) {
					hashOperand(hr, a)
				}
			}
		}
	}
	return hi.Sum64(), hr.Sum64()
}

// hashOperand writes the bits of an operand, every NaN as the same.
func hashOperand(w io.Writer, a any) {
	v := reflect.ValueOf(a)
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			hashOperand(w, v.Index(i).Interface())
		}
		return
	case reflect.Float64, reflect.Float32:
		f := v.Float()
		if f != f {
			f = math.NaN()
		}
		binary.Write(w, binary.LittleEndian, f)
		return
	}
	fmt.Fprint(w, a, " ")
}

// NormFloat64 takes the place of that of Rand, which rests on math.Exp and
// math.Log: those differ between architectures in the last bit.
func (d *Draw) NormFloat64() float64 {
	s := -6.0
	for range 12 {
		s += d.Float64()
	}
	return s
}
