package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The command finds one deliberate fault of each kind at its position, and reports no correct code.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command, which answers the same on every architecture: not run in short mode")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module planted\n\ngo 1.26\n",
		"planted.go": `package planted

import "math"

func Sum(x, y, z float64) float64        { return x*y + z }
func Difference(x, y, z float64) float64 { return z - x*y }
func Float32(x, y, z float32) float32    { return x*y + z }
func Whole(x float64) uint64             { return uint64(x * 64) }
func Inlined(x, y, z float64) float64    { return plus(x*y, z) }
func plus(a, b float64) float64          { return a + b }
func Rounded(x, y, z float64) float64    { return float64(x*y) + z }
func Asked(x, y, z float64) float64      { return math.FMA(x, y, z) }
func Exp(x float64) float64              { return math.Exp(x) }
func Root(x float64) float64             { return math.Sqrt(x) }
`,
		"other_s390x.go":   "package planted\n\nimport \"math\"\n\nvar gain = math.Exp2\n",
		"planted_amd64.go": "package planted\n\nfunc Product(x, y, z float64) float64 { return x*y + z }\n",
		"planted_test.go":  "package planted\n\nimport \"math\"\n\nvar log = math.Log\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	found, err := check([]string{"."})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		place, _, _ := strings.Cut(f, ": ")
		place = strings.TrimPrefix(place, "./")
		got = append(got, place[:strings.LastIndexByte(place, ':')])
	}
	slices.Sort(got)
	got = slices.Compact(got)
	want := []string{"other_s390x.go:5", "planted.go:10", "planted.go:13", "planted.go:5", "planted.go:6",
		"planted.go:7", "planted.go:8", "planted_amd64.go:3"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q:\n%s", got, want, strings.Join(found, "\n"))
	}
}
