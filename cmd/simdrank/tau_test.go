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

// Of three columns, the pair a and b has the table of [TestTau].
func TestTauMatrix(t *testing.T) {
	path := writeTemp(t, "m.csv", "a,name,c,b\n1,x,5,1\n2,y,5,3\n2,z,5,2\n3,w,5,2\n,v,5,1\n")
	args := []string{"tau", path, "--drop-nan", "--columns", "a,b,c"}
	note := "simdrank: note: " + path + ": skipped 1 of 5 rows with NaN or an empty cell\n"
	for _, c := range []struct{ args, want string }{
		{"", `  tau-b       a       b  c
      a  1.0000  0.4000  -
      b  0.4000  1.0000  -
      c       -       -  -

  p-value      a      b  c
        a      -  0.444  -
        b  0.444      -  -
        c      -      -  -

rows: 4
`},
		{"--format csv", "column,other,tau-b,p_value\na,b,0.39999999999999997,0.44421673013860674\na,c,,\nb,c,,\n"},
		{"--weighted --rounds 99 --format csv", "column,other,weighted-tau,p_value\na,b,0.2099233112595394,0.84\n" +
			"a,c,,\nb,c,,\n"},
	} {
		t.Run(c.args, func(t *testing.T) {
			code, stdout, stderr := simdrank(t, "", append(args, strings.Fields(c.args)...)...)
			if code != exitOK || stderr != note || stdout != c.want {
				t.Errorf("exit %d, %s, stdout\n%s\nwant\n%s", code, stderr, stdout, c.want)
			}
		})
	}
	_, stdout, _ := simdrank(t, "", append(args, "--format", "json")...)
	m := decode[tauMatrix](t, stdout)
	if m.Coefficient != "tau-b" || m.Rows != 4 || len(m.Values) != 3 || m.Values[0][1] != m.Values[1][0] ||
		!math.IsNaN(float64(m.Values[2][2])) || !strings.Contains(stdout, "null") {
		t.Errorf("%+v", m)
	}
	two := decode[tauResult](t, succeed(t, "", "tau", writeTemp(t, "two", "a b\n1 1\n2 3\n2 2\n3 2\n"),
		"--format", "json"))
	if two.Counts.N != 4 || two.TauB != m.Values[0][1] {
		t.Errorf("two columns: %+v", two)
	}
}

// The weighted tau is compared with scipy 1.17.0: weightedtau([1, 2, 2, 3, 9], [1, 3, 2, 2, 0]).
func TestTauWeighted(t *testing.T) {
	const text = "1 1\n2 3\n2 2\n3 2\n9 0\n"
	got := decode[weightedTau](t, succeed(t, text, "tau", "--weighted", "--rounds", "999", "--format", "json"))
	if math.Abs(float64(got.Tau)+0.3736789017209158) > 1e-12 || got.Rows != 5 || got.Rounds != 999 {
		t.Errorf("%+v", got)
	}
	seed2 := succeed(t, text, "tau", "--weighted", "--rounds", "999", "--seed", "2", "--format", "json")
	if other := decode[weightedTau](t, seed2); other.Tau != got.Tau || other.PValue == got.PValue {
		t.Errorf("another seed: %+v, %+v", other, got)
	}
	out := succeed(t, text, "tau", "--weighted", "--rounds", "9")
	if !strings.Contains(out, "weighted tau  -0.373679\n") || !strings.Contains(out, "rounds        9\n") {
		t.Errorf("text: %s", out)
	}
	for _, c := range []struct {
		code              int
		stdin, args, want string
	}{
		{exitUsage, text, "--rounds 9", "--rounds requires --weighted"},
		{exitUsage, text, "--seed 9", "--seed requires --weighted"},
		{exitUsage, text, "--weighted --rounds 0", "--rounds 0: must be from 1 to 1073741824"},
		{exitUsage, text, "--columns 1", "--columns must name at least two columns"},
		{exitFailure, "1\n2\n", "", "standard input has one column; tau requires at least two"},
		{exitFailure, text, "--columns 1,3", `standard input:1: no column is named "3"; the columns are 1, 2`},
		{exitFailure, "1 2\nnan 3\n", "", `standard input:2:1: "nan": NaN cannot be ranked (use --drop-nan`},
		{exitFailure, strings.Repeat("1 ", 1001), "", "has 1001 columns; tau compares at most 1000 (use --columns"},
	} {
		t.Run(c.want, func(t *testing.T) {
			fail(t, c.code, c.stdin, append([]string{"tau"}, strings.Fields(c.args)...), c.want)
		})
	}
}
