package cpu

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	x86 := []Tier{Generic, AVX2, AVX512}
	for _, c := range []struct {
		want      string
		available []Tier
		tier      Tier
		err       string
	}{
		{"", x86, AVX512, ""},
		{"generic", x86, Generic, ""},
		{"avx2", x86, AVX2, ""},
		{"avx512", x86, AVX512, ""},
		{"neon", x86, AVX512, "SIMDRANK_CPU=neon: this machine and build support only generic, avx2, avx512; using avx512"},
		{"avx512", x86[:2], AVX2, "support only generic, avx2; using avx2"},
		{"AVX2", x86, AVX512, "SIMDRANK_CPU=AVX2"},
		{"", []Tier{Generic}, Generic, ""},
	} {
		t.Run(fmt.Sprint(c.want, " ", c.available), func(t *testing.T) {
			tier, err := choose(c.want, c.available)
			if tier != c.tier {
				t.Errorf("choose(%q, %v) = %v, want %v", c.want, c.available, tier, c.tier)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("choose(%q, %v): error %v, want %q", c.want, c.available, err, c.err)
			}
		})
	}
}

// The legs of ci ask for a tier and must get it; elsewhere an unknown or
// missing tier is an error to report, not a failure.
func TestAskedTierRuns(t *testing.T) {
	want := os.Getenv("SIMDRANK_CPU_REQUIRE")
	if want == "" {
		t.Skip("SIMDRANK_CPU_REQUIRE not set: no leg asserts its tier")
	}
	if err := Err(); err != nil {
		t.Fatal(err)
	}
	if got := Active().String(); got != want {
		t.Fatalf("active tier is %s, SIMDRANK_CPU_REQUIRE=%s", got, want)
	}
}

func TestForce(t *testing.T) {
	before := Active()
	for _, tier := range Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := Force(tier)
			if Active() != tier {
				t.Errorf("Force(%v): active is %v", tier, Active())
			}
			if n := count(UseAVX2, UseAVX512, UseNEON); n > 1 || (n == 0) != (tier == Generic) {
				t.Errorf("Force(%v): %d flags set", tier, n)
			}
			restore()
			if Active() != before {
				t.Errorf("active is %v, want %v", Active(), before)
			}
		})
	}
}

// Whatever processor this is, tests can run what the tiers do on every kind.
func TestForceCore(t *testing.T) {
	fp512, intel := UseFP512, UseIntel
	for _, tier := range Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restoreTier := Force(tier)
			fp512Here, intelHere := UseFP512, UseIntel
			for _, core := range Cores() {
				t.Run(core.String(), func(t *testing.T) {
					restore := ForceCore(core)
					check := func(after string) {
						t.Helper()
						wide, vendor := tier == AVX512 && core != Split, tier != Generic && core == Intel
						if UseFP512 != wide || UseIntel != vendor || Active() != tier {
							t.Errorf("%v as %v after %s: UseFP512 is %v, UseIntel is %v, and %v runs", tier, core, after,
								UseFP512, UseIntel, Active())
						}
					}
					check("ForceCore")
					Force(tier)()
					check("another Force")
					restore()
					if UseFP512 != fp512Here || UseIntel != intelHere {
						t.Errorf("%v after %v: UseFP512 is %v and was %v, UseIntel is %v and was %v", tier, core,
							UseFP512, fp512Here, UseIntel, intelHere)
					}
				})
			}
			restoreTier()
		})
	}
	if UseFP512 != fp512 || UseIntel != intel {
		t.Errorf("at the end UseFP512 is %v and was %v, UseIntel is %v and was %v", UseFP512, fp512, UseIntel, intel)
	}
}

func count(flags ...bool) (n int) {
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}
