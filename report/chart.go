package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
)

// A Chart is a figure with two axes and one or more series of values. Fields can be changed until
// the chart is written. Unused fields can keep their zero value.
type Chart struct {
	Title  string
	X, Y   Axis
	Series []Series
	Rules  []Rule // vertical lines

	// Height is the height in CSS pixels. 0 means a default: 300, or a height that fits the names
	// on the Y axis.
	Height int
	Equal  bool // a unit has the same length on X and Y; the height follows from the width

	width int    // like Height; 0 means 480
	scale string // meaning of Series.Shade, explained above the figure
	data  *table // the numbers of the figure; nil means the values of the series
	// description is the text for screen readers. "" means the names of axes and series.
	description string
}

// An Axis is the X or Y axis of a [Chart].
type Axis struct {
	Label string // quantity, with the unit in parentheses
	Log   bool   // logarithmic scale; values must be positive
	// Min and Max are the displayed range. If both are 0, the range of the series is used, with a
	// margin.
	Min, Max float64
	// Names are the labels of the values 0, 1, 2, … on a categorical axis. On Y, the first name is
	// at the top.
	Names []string
}

// Marks of a series.
const (
	markLine = "line"
	markDots = "dots"
	markBars = "bars"
)

// mark returns the mark of the series.
func (s *Series) mark() string { return cmp.Or(s.Mark, markLine) }

// A Series is a set of points in a [Chart].
type Series struct {
	Name string // name in the legend; "" omits it
	// Mark defines how the values are drawn:
	//
	//	line  a line through the points, in their order. The default.
	//	dots  a dot at each point
	//	bars  a bar from 0 to each point, along Y or, if Y has names, along X
	Mark   string
	X, Y   []float64
	Low    []float64 // lower ends of intervals on Y, which are drawn as thin lines; can be nil
	High   []float64 // upper ends; intervals cannot be combined with bars or names on Y
	Dashed bool
	Size   float64 // line width or dot diameter in CSS pixels; 0 means the default

	// Shade selects colors from a scale from 0 (low) to 1 (high) and overrides Color. It has one
	// value per point, or one for all. NaN is gray.
	Shade []float64
	Color int // palette index from 1 to 6; 0 means the position in Chart.Series
}

// A Rule is a vertical line in a [Chart].
type Rule struct {
	At   float64
	Name string // label next to the line

	y bool // at a value of Y
}

// alt returns a description of the figure.
func (c *Chart) alt() string {
	if c.description != "" {
		return c.description
	}
	text := c.Y.Label + " over " + c.X.Label
	var names []string
	for _, s := range c.Series {
		if s.Name != "" {
			names = append(names, s.Name)
		}
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

// name returns the name of the figure for errors.
func (c *Chart) name() string { return cmp.Or(c.Title, "untitled figure") }

// check returns an error if the fields contradict each other or there is nothing to draw.
func (c *Chart) check() error {
	points := 0
	for i := range c.Series {
		if err := c.Series[i].check(c); err != nil {
			name := c.Series[i].Name
			if name == "" {
				name = "number " + strconv.Itoa(i+1)
			}
			return errs.Errorf("report", "%s: series %s: %w", c.name(), name, err)
		}
		points += len(c.Series[i].X)
	}
	for _, r := range c.Rules {
		if !finite(r.At) || r.At <= 0 && (r.y && c.Y.Log || !r.y && c.X.Log) {
			return errs.Errorf("report", "%s: the rule at %v must be finite, and positive on a logarithmic axis", c.name(), r.At)
		}
	}
	for _, a := range []Axis{c.X, c.Y} {
		if !finite(a.Min) || !finite(a.Max) || a.Min > a.Max || a.Log && (a.Min < 0 || a.Max > 0 && a.Min == 0) {
			return errs.Errorf("report", "%s: axis %s: invalid range from %v to %v", c.name(), a.Label, a.Min, a.Max)
		}
	}
	switch {
	case c.Equal && (c.X.Log || c.Y.Log || c.X.Names != nil || c.Y.Names != nil):
		return errs.Errorf("report", "%s: Equal requires linear axes without Names", c.name())
	case points == 0:
		return errs.Errorf("report", "%s: a figure requires at least one value", c.name())
	case c.width < 0 || c.Height < 0 || c.width > maxSide || c.Height > maxSide:
		return errs.Errorf("report", "%s: the size is %d×%d pixels; each side must be from 0 to %d", c.name(),
			c.width, c.Height, maxSide)
	}
	return nil
}

// maxSide is the longest side of a figure in units.
const maxSide = 4000

func (s *Series) check(c *Chart) error {
	n := len(s.X)
	switch {
	case len(s.Y) != n:
		return fmt.Errorf("the series has %d values of X, but %d values of Y", n, len(s.Y))
	case s.Low != nil && len(s.Low) != n || len(s.Low) != len(s.High):
		return fmt.Errorf("the series contains %d lower and %d upper interval ends for %d points: the numbers must be equal", len(s.Low), len(s.High), n)
	case s.Low != nil && (s.Mark == markBars || c.Y.Names != nil):
		return errors.New("intervals cannot be combined with bars or names of Y")
	case s.Shade != nil && len(s.Shade) != 1 && len(s.Shade) != n:
		return fmt.Errorf("the series contains %d values of Shade for %d points: there must be one value, or one per point", len(s.Shade), n)
	case slices.ContainsFunc(s.Shade, func(v float64) bool { return v < 0 || v > 1 }):
		return errors.New("shades must be from 0 to 1, or NaN")
	case s.Color < 0 || s.Color > nSeries:
		return fmt.Errorf("the color is %d; it must be from 1 to %d", s.Color, nSeries)
	case !slices.Contains([]string{markLine, markDots, markBars}, s.mark()):
		return fmt.Errorf("unknown mark %q: use line, dots or bars", s.Mark)
	case !(s.Size >= 0 && s.Size <= 100):
		return fmt.Errorf("the size is %v; it must be from 0 to 100", s.Size)
	}
	for _, of := range []struct {
		axis   *Axis
		values []float64
	}{{&c.X, s.X}, {&c.Y, s.Y}, {&c.Y, s.Low}, {&c.Y, s.High}} {
		for i, v := range of.values {
			switch {
			case !finite(v):
				return fmt.Errorf("point %d is %v; it must be finite", i, v)
			case of.axis.Log && v <= 0:
				return fmt.Errorf("point %d is %v; it must be positive on a logarithmic axis", i, v)
			}
		}
	}
	return nil
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// bars reports whether the bars of a series start at the axis.
func (c *Chart) bars(onX bool) bool {
	return (c.Y.Names == nil) == onX && slices.ContainsFunc(c.Series, func(s Series) bool { return s.Mark == markBars })
}

// axisOf returns the scale of an axis.
func (c *Chart) axisOf(x bool) (*scale, error) {
	a, values := &c.X, func(s *Series) [][]float64 { return [][]float64{s.X} }
	if !x {
		a, values = &c.Y, func(s *Series) [][]float64 { return [][]float64{s.Y, s.Low, s.High} }
	}
	along := x == (c.Y.Names != nil) // the axis in the direction of bars
	lo, hi, whole := math.Inf(1), math.Inf(-1), true
	add := func(v float64) {
		lo, hi, whole = min(lo, v), max(hi, v), whole && v == math.Trunc(v)
	}
	for i := range c.Series {
		s := &c.Series[i]
		if along && s.Mark == markBars && len(s.X) > 0 && !a.Log {
			add(0)
		}
		for _, list := range values(s) {
			for _, v := range list {
				add(v)
			}
		}
	}
	for _, r := range c.Rules {
		if r.y != x {
			add(r.At)
		}
	}
	fail := func(err error) (*scale, error) {
		return nil, errs.Errorf("report", "%s: axis %s: %w", c.name(), a.Label, err)
	}
	if err := a.check(lo, hi); err != nil {
		return fail(err)
	}
	if a.Names != nil {
		return &scale{lo: -0.6, hi: float64(len(a.Names)-1) + 0.6, names: a.Names}, nil
	}
	least, greatest := lo, hi
	if a.set() {
		lo, hi = a.Min, a.Max
	}
	if a.Log && c.bars(x) {
		return fail(errors.New("bars are not supported on a logarithmic axis"))
	}
	if a.Log {
		return newLogScale(lo, hi), nil
	}
	base := along && slices.ContainsFunc(c.Series, func(s Series) bool { return s.Mark == markBars })
	room := !a.set() && !c.bars(x)
	sc := newScale(lo, hi, whole, room, base)
	// The width of bars is their distance.
	if half := float64(c.barWidth() / 2); c.bars(x) && !a.set() && !tiny(lo-half, hi+half) {
		sc.lo, sc.hi = lo-half, hi+half
	}
	if checkRange(sc.share(least), sc.share(greatest)) != nil {
		return fail(fmt.Errorf("values from %v to %v are too far outside the axis range, %v to %v", least, greatest, sc.lo, sc.hi))
	}
	return sc, nil
}

// set reports whether the range of the axis is set.
func (a *Axis) set() bool { return a.Min != 0 || a.Max != 0 }

// check returns an error if the axis cannot show its own range, or values from lo to hi.
func (a *Axis) check(lo, hi float64) error {
	if a.set() {
		lo, hi = min(lo, a.Min), max(hi, a.Max)
	}
	if a.Log && lo < 1/most {
		return errors.New("values must be at least 1e-300 on a logarithmic axis")
	}
	return checkRange(lo, hi)
}

// barWidth returns the minimum distance of bars along their base axis.
func (c *Chart) barWidth() float64 {
	var at []float64
	for i := range c.Series {
		if s := &c.Series[i]; s.Mark == markBars && c.Y.Names == nil {
			at = append(at, s.X...)
		} else if s.Mark == markBars {
			at = append(at, s.Y...)
		}
	}
	slices.Sort(at)
	width := math.Inf(1)
	for i := 1; i < len(at); i++ {
		if d := at[i] - at[i-1]; d > 0 {
			width = min(width, d)
		}
	}
	if math.IsInf(width, 0) {
		return 1
	}
	return width
}
