package main

import (
	"math"
	"strings"
	"testing"
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
		writeTemp(t, "xy.gz", gzipped(text)), "-"} {
		if again := decode[tauResult](t, succeed(t, text, "tau", path, "--format", "json")); again != got {
			t.Errorf("%s: %+v, want %+v", path, again, got)
		}
	}
	if text := succeed(t, text, "tau"); !strings.Contains(text, "tau-b             0.4\n") {
		t.Errorf("text: %s", text)
	}
}

func TestTauUndefined(t *testing.T) {
	for name, text := range map[string]string{"one row": "1 2\n", "constant": "1 1\n1 2\n1 3\n"} {
		if json := succeed(t, text, "tau", "--format", "json"); !strings.Contains(json, `"tau_b": null`) {
			t.Errorf("%s: %s", name, json)
		}
	}
}

func TestTauErrors(t *testing.T) {
	fail(t, exitFailure, "1 2\n3 x\n", []string{"tau"}, "standard input:2:3: ", `"x" is not a number`)
	fail(t, exitFailure, "", []string{"tau", "no-such-file"}, "no-such-file: ")
	fail(t, exitUsage, "", []string{"tau", "a", "b"}, "2")
}
