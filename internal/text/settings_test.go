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
	Kind        named      `file:"kind"`
	C           float64    `file:"c"`
	MinHessian  float64    `file:"least_hessian"`
	NoNorm      bool       `file:"no_norm"`
	CategoryL2  int        `file:"category_l2"`
	Seed        uint64     `file:"seed"`
	File        string     `file:"file"`
	Gains       []float64  `file:"gains"`
	Monotone    []int8     `file:"monotone"`
	Categorical []int      `file:"categorical"`
	Absent      []int      `file:"absent"`
	Groups      [][]int    `file:"groups"`
	Rule        any        `file:"rule"`
	Mine        any        `file:"mine"`
	None        any        `file:"none"`
	Start       *trainer   `file:"start"`
	Told        func()     `file:"told"`
	Sets        []*trainer `file:"sets"`
	Threads     int        `file:"threads"`
	Memory      int        `file:"-"`
	hidden      int
	Way         string `file:"way" word:"usual"`
	Order       string `file:"order" word:"usual"`
}

func TestSettings(t *testing.T) {
	v := trainer{Kind: 2, C: .1, MinHessian: 1e-7, NoNorm: true, CategoryL2: -3, Seed: 1 << 63, File: "a b",
		Gains: []float64{0, 1.5}, Monotone: []int8{0, 1, -1}, Categorical: []int{0, 2}, Groups: [][]int{{0, 1}, {2}},
		Rule: named(7), Mine: own{}, Start: &trainer{}, Told: func() {}, Sets: []*trainer{{}}, Threads: 8, Memory: 9,
		hidden: 1, Way: "other"}
	want := map[string]string{"model": "kind", "kind": "name 2", "c": "0.1", "least_hessian": "1e-07",
		"no_norm": "true", "category_l2": "-3", "seed": "9223372036854775808", "file": "a b", "gains": "0,1.5",
		"monotone": "2+,3-", "categorical": "1,3", "groups": "1,2; 3", "rule": "name 7", "mine": "text.own",
		"way": "other", "order": "usual"}
	if got := Settings("kind", v, nil, "threads"); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want["monotone"], want["categorical"], want["groups"], want["threads"] = "age+,3-", "color,3", "color,age; 3", "8"
	if got := Settings("kind", v, []string{"color", "age"}); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
