package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSize(t *testing.T) {
	const source = `package rank
const A, b = 1, 2
var C int
type D struct { E, f int; G string; error }
type H interface { I(); j() }
type k struct { L int }
type M int
func N() {}
func (d *D) O() {}
func (k) P() {}
func q() {}
`
	p := &project{root: "/toy", api: map[string]bool{}}
	for _, file := range []string{"rank/a.go", "rank/a_arm64.go", "rank/trec/a.go", "rank/a_test.go", "ci/a.go"} {
		if err := p.exported("/toy/"+file, []byte(source)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for name := range p.api {
		got = append(got, name)
	}
	slices.Sort(got)
	want := strings.Split("A C D D.E D.G D.O H H.I M N", " ")
	for i := range want {
		want[i] = "rank " + want[i]
	}
	for _, name := range want[:len(want):len(want)] {
		want = append(want, strings.Replace(name, "rank ", "rank/trec ", 1))
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}

func TestSizeLimits(t *testing.T) {
	for _, c := range []struct{ rank, others, problems int }{
		{mostRankNames, mostNames - mostRankNames, 0},
		{mostRankNames + 1, 0, 1},
		{mostRankNames, mostNames - mostRankNames + 1, 1},
		{mostNames + 1, 0, 2},
	} {
		t.Run(fmt.Sprint(c.rank, "+", c.others), func(t *testing.T) {
			p := &project{root: "/toy", api: map[string]bool{}}
			for i := range c.rank {
				p.api[fmt.Sprintf("rank A%d", i)] = true
			}
			for i := range c.others {
				p.api[fmt.Sprintf("rank/data A%d", i)] = true
			}
			if p.size(); len(p.found) != c.problems {
				t.Errorf("%q, want %d", p.found, c.problems)
			}
		})
	}
}
