package report

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// figureLabels draws how many documents have each label.
func figureLabels(r *data.Description) (*Chart, error) {
	if len(r.Labels) == 0 {
		return nil, errs.New("report", "labels: the data contains no labels")
	}
	c := &Chart{Title: "Labels", X: Axis{Label: "label"}, Y: Axis{Label: "documents"}}
	s := Series{Mark: markBars}
	for _, l := range r.Labels {
		if err := checkRange(l.Label, l.Label); err != nil {
			return nil, errs.Errorf("report", "labels: %w", err)
		}
		if len(r.Labels) <= mostLabels {
			c.X.Names = append(c.X.Names, number(l.Label))
			s.X = append(s.X, float64(len(s.X)))
		} else {
			s.X = append(s.X, l.Label)
		}
		s.Y = append(s.Y, float64(l.Rows))
	}
	if len(r.Labels) > mostLabels {
		s.Mark = markDots
	}
	c.Series = []Series{s}
	c.description = fmt.Sprintf("number of documents for each of %d labels", len(r.Labels))
	return c, nil
}

// figureSizes draws a histogram of the number of documents per query.
func figureSizes(d *rank.Dataset) (*Chart, error) {
	sizes := make([]int, d.Queries())
	for q := range sizes {
		lo, hi := d.Query(q)
		sizes[q] = hi - lo
	}
	if len(sizes) == 0 {
		return nil, errs.New("report", "query sizes: the data contains no queries")
	}
	lo, hi := slices.Min(sizes), slices.Max(sizes)
	width := (hi - lo + 20) / 20 // of a range, so that there are up to 20
	counts := make([]float64, (hi-lo)/width+1)
	for _, n := range sizes {
		counts[(n-lo)/width]++
	}
	c := &Chart{Title: "Documents per query", X: Axis{Label: "documents per query"}, Y: Axis{Label: "queries"},
		data:        &table{columns: []string{"documents", "queries"}},
		description: fmt.Sprintf("number of documents per query for %d queries, from %d to %d", len(sizes), lo, hi)}
	s := Series{Mark: markBars, Y: counts}
	for i, n := range counts {
		from := lo + i*width
		s.X = append(s.X, float64(from)+float64(float64(width-1)/2))
		name := fmt.Sprintf("%d to %d", from, from+width-1)
		if width == 1 {
			name = fmt.Sprint(from)
		}
		c.data.rows = append(c.data.rows, []string{name, number(n)})
	}
	c.Series = []Series{s}
	return c, nil
}

// duplicateColumns returns the columns that are equal to an earlier one in every row, each with the
// first such column. Columns of zeros are omitted, because they are constant. Columns are compared
// by a hash of 64 bits.
func duplicateColumns(d *rank.Dataset) (duplicates [][2]int) {
	columns := listedColumns(d)
	places, hashes := ranksvm.NewPlaces(columns), make([]uint64, len(columns))
	for i := range d.Rows() {
		listed(d, i, func(j int, v float32) {
			if v != v {
				v = float32(math.NaN())
			}
			hi, lo := bits.Mul64(uint64(i+1)<<32^uint64(math.Float32bits(v)), 0x9e3779b97f4a7c15)
			k := places.Of(int32(j))
			hi, lo = bits.Mul64(hashes[k]^hi^lo, 0xff51afd7ed558ccd)
			hashes[k] = hi ^ lo + 1
		})
	}
	first := map[uint64]int{}
	for k, h := range hashes {
		j := int(columns[k])
		if h == 0 {
			continue
		}
		if at, found := first[h]; found {
			duplicates = append(duplicates, [2]int{at, j})
		} else {
			first[h] = j
		}
	}
	return duplicates
}
