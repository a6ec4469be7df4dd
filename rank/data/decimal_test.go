package data

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// checkDecimal compares the number that text starts with, as the parser of features
// reads it, with strconv's bits.
func checkDecimal(t *testing.T, p *stretch, text string) {
	t.Helper()
	p.parse(append([]byte("0 qid:0 1:"+text+"\n"), "76543210"...))
	want, err := strconv.ParseFloat(text, 32)
	if (err == nil) != (p.err == nil) {
		t.Fatalf("%q: error %v, strconv's %v", text, p.err, err)
	}
	if err == nil && math.Float32bits(p.values[0]) != math.Float32bits(float32(want)) {
		t.Fatalf("%q: read %v (%#x), want %v (%#x)", text,
			p.values[0], math.Float32bits(p.values[0]), want, math.Float32bits(float32(want)))
	}
}

// TestDecimal reads random decimals of all shapes, and those near the middle between
// two float32, where rounding is decided.
func TestDecimal(t *testing.T) {
	p := &stretch{opts: newLETOR(Options{})}
	for _, text := range []string{
		"0", "-0", "+0", "0.", ".0", "-.5", "00", "007", "0.000000", "0.1", "1e5", "1E+05", "1e-05", "9e-46", "7e-46",
		"1e-999", "-1e-400",
		"16777216", "16777217", "16777219", "3.4028235e38", "3.4028234663852886e38", "1.17549435e-38", "1.1754942e-38",
		"1.40129846e-45",
		"9007199254740993", "0.00000000000000000000000000000000000001", "1234567890123456789", "12345678901234567890",
		"99999999999999999999",
		"0.1234567", "0.12345678", "0.123456789", "1234567.8", "12345678", "123456789", "12345678.9", "1.2345678e+07",
		"33554431.5", "33554433", "0.0000000000000000000000000000000000000000000001", "1e22", "1e23", "1e37", "123e-22",
		"5e-324",
	} {
		t.Run(text, func(t *testing.T) {
			checkDecimal(t, p, text)
		})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	n := 400_000
	if testing.Short() {
		n = 20_000
	}
	var b []byte
	for range n {
		b = b[:0]
		if rng.IntN(4) == 0 {
			b = append(b, '-')
		}
		switch rng.IntN(4) {
		case 0: // digits with a point somewhere
			b = strconv.AppendUint(b, rng.Uint64()>>rng.IntN(64), 10)
			if k := rng.IntN(len(b) + 1); k > 0 && b[k-1] != '-' {
				b = append(b[:k], append([]byte{'.'}, b[k:]...)...)
			}
		case 1: // any float32, in all lengths
			v := math.Float32frombits(rng.Uint32() &^ (1 << 31))
			if v != v || v > math.MaxFloat32 {
				continue
			}
			b = strconv.AppendFloat(b, float64(v), "fge"[rng.IntN(3)], rng.IntN(20)-1, 32)
		case 2: // the neighborhood of the middle between two float32 of usual size
			v := math.Float32frombits(0x30000000 + rng.Uint32N(0x20000000))
			middle := (float64(v) + float64(math.Nextafter32(v, 0))) / 2
			bits := math.Float64bits(middle) + uint64(rng.IntN(9)) - 4
			b = strconv.AppendFloat(b, math.Float64frombits(bits), "fg"[rng.IntN(2)], 15+rng.IntN(4), 64)
		case 3: // what files hold
			b = strconv.AppendFloat(b, rng.ExpFloat64()*math.Pow(10, float64(rng.IntN(9)-3)), 'f', rng.IntN(9), 64)
		}
		checkDecimal(t, p, string(b))
	}
}
