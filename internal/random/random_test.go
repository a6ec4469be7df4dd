package random

import "testing"

// The first numbers of SplitMix64 are those of Vigna's splitmix64.c, and of his xorshift with the
// shifts 13, 7 and 17.
func TestStreams(t *testing.T) {
	s := SplitMix(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821} {
		if got := s.Next(); got != want {
			t.Errorf("SplitMix: number %d is %d, want %d", i, got, want)
		}
	}
	x := Xorshift(1)
	for i, want := range []uint64{0x40822041, 0x100041060c011441} {
		if got := x.Next(); got != want {
			t.Errorf("Xorshift: number %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestBelow(t *testing.T) {
	a, b := SplitMix(7), SplitMix(7)
	for n := 1; n < 100; n++ {
		if got, want := a.Below(n), int(b.Next()%uint64(n)); got != want {
			t.Errorf("below %d: %d, want %d", n, got, want)
		}
	}
}

func TestFloat64(t *testing.T) {
	a, b := SplitMix(7), SplitMix(7)
	for range 100 {
		if got, want := a.Float64(), float64(b.Next()>>11)/(1<<53); got != want || !(got < 1) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
