package main

import (
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func TestTau(t *testing.T) {
	// Worked by hand: of the 6 pairs of rows, 3 agree, 1 disagrees, 1 is tied in x and 1 in y.
	const text = "1 1\n2 3\n2 2\n3 2\n"
	got := decode[tauResult](t, succeed(t, text, "tau", "--format", "json"))
	want := tauCounts{N: 4, Pairs: 6, Concordant: 3, Discordant: 1, TiedX: 1, TiedY: 1}
	if got.Counts != want {
		t.Errorf("counts %+v, want %+v", got.Counts, want)
	}
	if got.TauA != number(2./6) || math.Abs(float64(got.TauB)-2./5) > 1e-15 || got.Gamma != number(2./4) ||
		got.TauC != number(2.*2/(16*2./3)) {
		t.Errorf("coefficients %+v", got)
	}
	for _, path := range []string{writeTemp(t, "xy.csv", strings.ReplaceAll(text, " ", ",")),
		writeTemp(t, "xy.gz", testkit.Gzip(text)), "-"} {
		t.Run(testkit.CaseName(path), func(t *testing.T) {
			if again := decode[tauResult](t, succeed(t, text, "tau", path, "--format", "json")); again != got {
				t.Errorf("%+v, want %+v", again, got)
			}
		})
	}
	if text := succeed(t, text, "tau"); !strings.Contains(text, "tau-b             0.4\n") {
		t.Errorf("text: %s", text)
	}
}

// Of the three pairs of rows, two agree, unless integers are rounded.
func TestTauIntegers(t *testing.T) {
	for name, text := range map[string]string{
		"int64":             "9007199254740993 1\n9007199254740992 2\n9007199254740995 3\n",
		"negative":          "-9007199254740993 3\n-9007199254740994 1\n-9007199254740992 2\n",
		"uint64":            "18446744073709551613 1\n18446744073709551612 2\n18446744073709551615 3\n",
		"20 digits":         "99999999999999999998 1\n99999999999999999997 2\n+99999999999999999999 3\n",
		"fractions, too":    "9007199254740993 1\n0.5 2\n9007199254740994 3\n",
		"a large one, late": "0.5 1\n-2 2\n9007199254740993 3\n",
		"the second column": "1 9007199254740993\n2 9007199254740992\n3 9007199254740995\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := decode[tauResult](t, succeed(t, text, "tau", "--format", "json"))
			if want := (tauCounts{N: 3, Pairs: 3, Concordant: 2, Discordant: 1}); got.Counts != want ||
				got.PValue != 1 {
				t.Errorf("%+v, p-value %v, want %+v and 1", got.Counts, got.PValue, want)
			}
		})
	}
	const ties = "9007199254740993 1\n9007199254740993 1\n9007199254740992.0 2\n9007199254740992 3\n"
	got := decode[tauResult](t, succeed(t, ties, "tau", "--format", "json"))
	if want := (tauCounts{N: 4, Pairs: 6, Discordant: 4, TiedX: 2, TiedY: 1, TiedBoth: 1}); got.Counts != want {
		t.Errorf("%+v, want %+v", got.Counts, want)
	}
}

func TestTauUndefined(t *testing.T) {
	for name, text := range map[string]string{"one row": "1 2\n", "constant": "1 1\n1 2\n1 3\n"} {
		t.Run(name, func(t *testing.T) {
			if json := succeed(t, text, "tau", "--format", "json"); !strings.Contains(json, `"tau_b": null`) {
				t.Error(json)
			}
		})
	}
}

func TestTauErrors(t *testing.T) {
	fail(t, exitFailure, "1 2\n3 x\n", []string{"tau"}, "standard input:2:3: ", `"x" is not a number`)
	fail(t, exitFailure, "1 2\n"+strings.Repeat("123456789", 5)+" 1\n", []string{"tau"}, "standard input:2:1: ",
		"more than 106 bits")
	fail(t, exitFailure, "", []string{"tau", "no-such-file"}, "no-such-file: ")
	fail(t, exitUsage, "", []string{"tau", "a", "b"}, "2")
}
