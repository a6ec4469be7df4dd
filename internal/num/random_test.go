package num

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

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

// TestPCG compares with math/rand/v2, and takes numbers at several distances.
func TestPCG(t *testing.T) {
	want := make([]uint64, 400)
	reference := rand.NewPCG(3, 1<<63+5)
	for i := range want {
		want[i] = reference.Uint64()
	}
	p := NewPCG(3, 1<<63+5)
	for _, c := range []struct{ skip, stride uint64 }{{0, 1}, {1, 1}, {7, 3}, {64, 17}, {130, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			q := p.Every(c.skip, c.stride)
			for at, n := c.skip, uint64(1); at+n*c.stride < uint64(len(want)); n++ {
				got := make([]uint64, n)
				q.Fill(got)
				for _, x := range got {
					if x != want[at] {
						t.Fatalf("number %d of %d is %d, want %d", at, n, x, want[at])
					}
					at += c.stride
				}
			}
		})
	}
}
