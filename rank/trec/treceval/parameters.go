package treceval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/text"
)

// parameters contains the parameters of a measure. Only the slice for the measure's kind is set.
type parameters struct {
	text   string // text that the user specified; "" for default parameters
	cuts   []int
	values []float64
	pairs  []pair
}

type pair struct {
	name  string
	value float64
}

// A kind specifies which parameters a measure accepts, and how many values the measure has.
type kind uint8

const (
	noParameters kind = iota
	ranks             // ranks, with one value each
	shares            // fractions, with one value each
	numbers           // numbers that affect a single value
	pairs             // parameters of the form name=number that affect a single value
)

// parse parses a list of parameters, which are separated by commas.
func (k kind) parse(text string) (*parameters, error) {
	p := &parameters{text: text}
	words := strings.Split(text, ",")
	switch k {
	case noParameters:
		return nil, errors.New("it accepts no parameters")
	case ranks:
		for _, w := range words {
			whole, fraction, _ := strings.Cut(w, ".")
			n, err := strconv.Atoi(whole)
			if strings.Trim(fraction, "0123456789") != "" || err != nil || n < 1 {
				return nil, fmt.Errorf("the cutoff is %q; it must be an integer of at least 1", w)
			}
			p.cuts = append(p.cuts, n)
		}
		return p, sortUnique(p.cuts, "cutoff ")
	case shares, numbers:
		for _, w := range words {
			v, err := number(w)
			if err != nil {
				return nil, err
			}
			p.values = append(p.values, v)
		}
		if k == shares {
			return p, sortUnique(p.values, "")
		}
	case pairs:
		for _, w := range words {
			name, value, ok := strings.Cut(w, "=")
			if _, err := strconv.Atoi(name); !ok || err != nil && name != "p" {
				return nil, fmt.Errorf("%q must be a relevance and its gain, as in 1=3.5", w)
			}
			v, err := number(value)
			if err != nil {
				return nil, err
			}
			p.pairs = append(p.pairs, pair{name, v})
		}
	}
	return p, nil
}

// sortUnique sorts values in ascending order. It returns an error if two values are equal.
func sortUnique[T cmp.Ordered](values []T, what string) error {
	slices.Sort(values)
	for i, v := range values[1:] {
		if v == values[i] {
			return fmt.Errorf("%s%v is given twice", what, v)
		}
	}
	return nil
}

// number parses a number, which must be finite.
func number(s string) (float64, error) {
	v, err := text.ParseNumber(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q must be a finite number", s)
	}
	return v, nil
}

// columns returns the columns that a measure has with these parameters.
func (p *parameters) columns(m *measure) (columns []column) {
	switch m.kind {
	case ranks:
		for _, k := range p.cuts {
			columns = append(columns, column{name: m.name + "_" + strconv.Itoa(k), k: k})
		}
	case shares:
		for _, v := range p.values {
			// Truncate the number to the length of trec_eval's buffer.
			digits := strconv.FormatFloat(v, 'f', 2, 64)
			columns = append(columns, column{name: m.name + "_" + digits[:min(8, len(digits))], x: v})
		}
	default:
		name := m.name
		if p.text != "" {
			name += "_" + p.text
		}
		columns = []column{{name: name}}
	}
	for i := range columns {
		columns[i].measure, columns[i].p = m, p
	}
	return columns
}

// persistence returns the persistence of rank-biased precision, which is 0.9 by default.
func (p *parameters) persistence() float64 {
	v := .9
	for _, pair := range p.pairs {
		if pair.name == "p" {
			v = pair.value
		}
	}
	return v
}

// gains maps relevance values to gains.
type gains struct {
	levels []level // sorted by ascending gain
	plain  bool    // whether the gain of each relevance is the relevance itself
}

type level struct {
	relevance int
	documents int // number of judged documents with this relevance
	gain      float64
}

// gainsOf returns the gains for a topic. They cover the relevance values in the parameters and in
// the topic's judgments.
func (p *parameters) gainsOf(t *ranking) *gains {
	g := &t.ms.gains
	g.levels = g.levels[:0]
	for _, pair := range p.pairs {
		if relevance, err := strconv.Atoi(pair.name); err == nil {
			g.levels = append(g.levels, level{relevance, 0, pair.value})
		}
	}
	g.plain = len(g.levels) == 0
	for relevance, n := range t.levels {
		at := -1
		if !g.plain {
			at = slices.IndexFunc(g.levels, func(l level) bool { return l.relevance == relevance })
		}
		if at < 0 {
			g.levels = append(g.levels, level{relevance, n, float64(relevance)})
		} else {
			g.levels[at].documents = n
		}
	}
	if !g.plain {
		mergeSort(g.levels)
	}
	return g
}

// of returns the gain of a retrieved document with the given relevance.
func (g *gains) of(relevance int) float64 {
	if g.plain {
		return float64(max(relevance, 0))
	}
	for i := range g.levels {
		if g.levels[i].relevance == relevance {
			return g.levels[i].gain
		}
	}
	return 0
}

// scale scales the gains to the range 0 to 1, unless they are already in this range.
func (g *gains) scale() {
	least, most := 0.0, 0.0
	for _, l := range g.levels {
		least, most = min(least, l.gain), max(most, l.gain)
	}
	if least < 0 || most > 1 {
		g.plain = false
		for i := range g.levels {
			g.levels[i].gain = (g.levels[i].gain - least) / (most - least)
		}
	}
}

// ideal returns the slice to with the gains of the ideal ranking appended. These gains are the
// positive gains of the judged documents in descending order.
func (g *gains) ideal(to []float64) []float64 {
	for i, l := range slices.Backward(g.levels) {
		if l.gain <= 0 && (l.documents > 0 || i == len(g.levels)-1) {
			break
		}
		for range l.documents {
			to = append(to, l.gain)
		}
	}
	return to
}

// mergeSort sorts levels by gain in the same way as trec_eval. trec_eval's comparison treats gains
// that differ by less than 1 as equal, which is not a consistent order. The result therefore
// depends on the merge steps of glibc's qsort.
func mergeSort(l []level) {
	if len(l) < 2 {
		return
	}
	a, b := slices.Clone(l[:len(l)/2]), slices.Clone(l[len(l)/2:])
	mergeSort(a)
	mergeSort(b)
	for i := range l {
		if len(b) == 0 || len(a) > 0 && a[0].gain-b[0].gain < 1 {
			l[i], a = a[0], a[1:]
		} else {
			l[i], b = b[0], b[1:]
		}
	}
}
