package text

import (
	"maps"
	"strconv"
	"testing"
)

type named int

func (n named) String() string { return "name " + strconv.Itoa(int(n)) }

type own struct{}

type trainer struct {
	Kind                named
	C, MinHessian       float64
	NoNorm              bool
	CategoryL2          int
	Seed                uint64
	File                string
	Gains               []float64
	Monotone            []int8
	Categorical, Absent []int
	Groups              [][]int
	Rule, Mine, None    any
	Start               *trainer
	Told                func()
	Sets                []*trainer
	Threads             int
	hidden              int
	Way, Order          string `word:"usual"`
}

func TestSettings(t *testing.T) {
	v := trainer{Kind: 2, C: .1, MinHessian: 1e-7, NoNorm: true, CategoryL2: -3, Seed: 1 << 63, File: "a b",
		Gains: []float64{0, 1.5}, Monotone: []int8{0, 1, -1}, Categorical: []int{0, 2}, Groups: [][]int{{0, 1}, {2}},
		Rule: named(7), Mine: own{}, Start: &trainer{}, Told: func() {}, Sets: []*trainer{{}}, Threads: 8, hidden: 1,
		Way: "other"}
	want := map[string]string{"model": "kind", "kind": "name 2", "c": "0.1", "min_hessian": "1e-07", "no_norm": "true",
		"category_l2": "-3", "seed": "9223372036854775808", "file": "a b", "gains": "0,1.5", "monotone": "2+,3-",
		"categorical": "1,3", "groups": "1,2; 3", "rule": "name 7", "mine": "text.own", "way": "other",
		"order": "usual"}
	if got := Settings("kind", v, nil, "Threads"); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want["monotone"], want["categorical"], want["groups"], want["threads"] = "age+,3-", "color,3", "color,age; 3", "8"
	if got := Settings("kind", v, []string{"color", "age"}); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
