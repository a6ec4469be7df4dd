package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Chart is a figure: series of values over two axes. Its fields may be changed before it is
// written; the zero value of those that are not of use is right.
type Chart struct {
	Title  string
	X, Y   Axis
	Series []Series
	Rules  []Rule // lines across the figure

	// Height is the height in pixels of a screen at scale 1. 0 means as high as fits: 300, or by
	// the number of names of Y.
	Height int
	Equal  bool // a unit of X is as long as one of Y, and the height follows from the width

	width int    // like Height; 0 means 480
	scale string // what Shade of the series means, explained above the figure
	data  *table // the numbers of the figure; nil means those of the series
	// description is for readers who cannot see the figure; "" means the names of axes and series.
	description string
}

// An Axis is one of the two of a [Chart].
type Axis struct {
	Label string // what it measures, with the unit in brackets
	Log   bool   // by the logarithm; values are above 0
	// Range of the values shown. Where both are 0, those of the series, with a little room.
	Min, Max float64
	// Names of the values 0, 1, 2, …, for things that are not numbers. Those of Y stand one below
	// the other, the first at the top.
	Names []string
}

// A Mark is how a series shows its values.
type Mark int

const (
	Line Mark = iota // a line through the points, in their order
	Dots             // a dot at each point
	Bars             // a bar from 0 to each point, along Y or, where Y has names, along X
)

// A Series are points of a [Chart] that belong together.
type Series struct {
	Name   string // in the legend; "" keeps it out
	Mark   Mark
	X, Y   []float64
	Low    []float64 // lower and upper ends of an interval at each point, drawn as a thin line
	High   []float64 // along Y or, where Y has names, along X; nil for none
	Dashed bool
	Size   float64 // width of the line or diameter of the dots, in units; 0 for the usual one

	// Shade gives colors from a scale, from 0 (low) to 1 (high), instead of the series' own: one
	// for each point, or one for them all. NaN is gray.
	Shade []float64
	Color int // of the palette, from 1 to 6; 0 means the place in Series
}

// A Rule is a line across a [Chart] at a value of X or Y.
type Rule struct {
	Y    bool // at a value of Y, else of X
	At   float64
	Name string // beside the line
}

// A table has the numbers of a figure as text.
type table struct {
	columns []string
	rows    [][]string
	note    string // such as which rows stand here
}

// alt returns what the figure shows in words.
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

// name returns what errors call the figure.
func (c *Chart) name() string { return cmp.Or(c.Title, "untitled figure") }

// check returns an error where the fields contradict each other or there is nothing to draw.
func (c *Chart) check() error {
	points := 0
	for i := range c.Series {
		if err := c.Series[i].check(c); err != nil {
			name := c.Series[i].Name
			if name == "" {
				name = "number " + strconv.Itoa(i+1)
			}
			return fmt.Errorf("report: %s: series %s: %w", c.name(), name, err)
		}
		points += len(c.Series[i].X)
	}
	for _, r := range c.Rules {
		if !finite(r.At) || r.At <= 0 && (r.Y && c.Y.Log || !r.Y && c.X.Log) {
			return fmt.Errorf("report: %s: a rule at %v", c.name(), r.At)
		}
	}
	for _, a := range []Axis{c.X, c.Y} {
		if !finite(a.Min) || !finite(a.Max) || a.Min > a.Max || a.Log && (a.Min < 0 || a.Max > 0 && a.Min == 0) {
			return fmt.Errorf("report: %s: axis %s from %v to %v", c.name(), a.Label, a.Min, a.Max)
		}
	}
	switch {
	case c.Equal && (c.X.Log || c.Y.Log || c.X.Names != nil || c.Y.Names != nil):
		return fmt.Errorf("report: %s: only numbers have equal units", c.name())
	case points == 0:
		return fmt.Errorf("report: %s: no values", c.name())
	case c.width < 0 || c.Height < 0 || c.width > maxSide || c.Height > maxSide:
		return fmt.Errorf("report: %s: %d×%d units, want up to %d each", c.name(), c.width, c.Height, maxSide)
	}
	return nil
}

// maxSide is the longest side of a figure in units.
const maxSide = 4000

func (s *Series) check(c *Chart) error {
	n := len(s.X)
	switch {
	case len(s.Y) != n:
		return fmt.Errorf("%d values of X and %d of Y", n, len(s.Y))
	case s.Low != nil && len(s.Low) != n || len(s.Low) != len(s.High):
		return fmt.Errorf("intervals from %d to %d values for %d points", len(s.Low), len(s.High), n)
	case s.Shade != nil && len(s.Shade) != 1 && len(s.Shade) != n:
		return fmt.Errorf("%d shades for %d points", len(s.Shade), n)
	case slices.ContainsFunc(s.Shade, func(v float64) bool { return v < 0 || v > 1 }):
		return errors.New("a shade is outside of the range from 0 to 1")
	case s.Color < 0 || s.Color > nSeries:
		return fmt.Errorf("color %d, want 1 to %d", s.Color, nSeries)
	case s.Mark < Line || s.Mark > Bars:
		return errors.New("unknown mark")
	case !(s.Size >= 0 && s.Size <= 100):
		return fmt.Errorf("size %v", s.Size)
	}
	along := &c.Y
	if c.Y.Names != nil {
		along = &c.X
	}
	for _, of := range []struct {
		axis   *Axis
		values []float64
	}{{&c.X, s.X}, {&c.Y, s.Y}, {along, s.Low}, {along, s.High}} {
		for i, v := range of.values {
			switch {
			case !finite(v):
				return fmt.Errorf("point %d is %v", i, v)
			case of.axis.Log && v <= 0:
				return fmt.Errorf("point %d is %v on an axis by logarithm", i, v)
			}
		}
	}
	return nil
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// bars reports whether a series of bars stands on the axis.
func (c *Chart) bars(onX bool) bool {
	return (c.Y.Names == nil) == onX && slices.ContainsFunc(c.Series, func(s Series) bool { return s.Mark == Bars })
}

// axisOf makes an axis ready to draw on.
func (c *Chart) axisOf(x bool) (*scale, error) {
	a, values := &c.X, func(s *Series) [][]float64 { return [][]float64{s.X} }
	if !x {
		a, values = &c.Y, func(s *Series) [][]float64 { return [][]float64{s.Y} }
	}
	along := x == (c.Y.Names != nil) // the axis of intervals and bars
	lo, hi, whole := math.Inf(1), math.Inf(-1), true
	add := func(v float64) {
		lo, hi, whole = min(lo, v), max(hi, v), whole && v == math.Trunc(v)
	}
	for i := range c.Series {
		s := &c.Series[i]
		all := values(s)
		if along {
			all = append(all, s.Low, s.High)
			if s.Mark == Bars && len(s.X) > 0 && !a.Log {
				add(0)
			}
		}
		for _, list := range all {
			for _, v := range list {
				add(v)
			}
		}
	}
	for _, r := range c.Rules {
		if r.Y != x {
			add(r.At)
		}
	}
	fail := func(err error) (*scale, error) {
		return nil, fmt.Errorf("report: %s: axis %s: %w", c.name(), a.Label, err)
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
		return fail(errors.New("bars cannot stand on an axis by logarithm"))
	}
	if a.Log {
		return newLogScale(lo, hi), nil
	}
	base := along && slices.ContainsFunc(c.Series, func(s Series) bool { return s.Mark == Bars })
	room := !a.set() && !c.bars(x)
	sc := newScale(lo, hi, whole, room, base)
	// Bars are as wide as they are far apart.
	if half := float64(c.barWidth() / 2); c.bars(x) && !a.set() && !tiny(lo-half, hi+half) {
		sc.lo, sc.hi = lo-half, hi+half
	}
	if checkRange(sc.share(least), sc.share(greatest)) != nil {
		return fail(errors.New("values too far beyond the ends of the axis"))
	}
	return sc, nil
}

// set reports whether the axis says which values it shows.
func (a *Axis) set() bool { return a.Min != 0 || a.Max != 0 }

// check returns an error if the axis cannot show its own range, or values from lo to hi.
func (a *Axis) check(lo, hi float64) error {
	if a.set() {
		lo, hi = min(lo, a.Min), max(hi, a.Max)
	}
	if a.Log && lo < 1/most {
		return errors.New("values below 1e-300 on an axis by logarithm")
	}
	return checkRange(lo, hi)
}

// barWidth returns the least distance of bars along the axis that they stand on.
func (c *Chart) barWidth() float64 {
	var at []float64
	for i := range c.Series {
		if s := &c.Series[i]; s.Mark == Bars && c.Y.Names == nil {
			at = append(at, s.X...)
		} else if s.Mark == Bars {
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

// Sizes of texts and marks in units.
const (
	titleSize = 15
	labelSize = 12.5
	tickSize  = 12
	lineWidth = 2
	dotSize   = 5
	rowHeight = 19 // of a named value of Y
	edge      = 8  // free on every side
)

// draw makes the scene of a figure, with its title or without it.
func (c *Chart) draw(titled bool) (*scene, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	x, err := c.axisOf(true)
	if err != nil {
		return nil, err
	}
	y, err := c.axisOf(false)
	if err != nil {
		return nil, err
	}
	s := &scene{width: c.width}
	if s.width == 0 {
		s.width = 480
	}
	width := float64(s.width)

	top := float64(edge)
	if titled && c.Title != "" {
		s.text(ink, titleSize, at(edge, top+titleSize), start, fit(c.Title, titleSize, width-2*edge))
		top += titleSize + 10
	}
	top = c.legend(s, top, width)
	// The label of Y stands above its axis, where it is read without turning the head.
	if c.Y.Label != "" {
		s.text(faint, labelSize, at(edge, top+labelSize), start, fit(c.Y.Label, labelSize, width-2*edge))
		top += labelSize + 8
	}
	named := false // rules of X with names beside them
	for _, r := range c.Rules {
		named = named || !r.Y && r.Name != ""
	}
	if named {
		top += tickSize + 4
	}
	top += 4

	height := float64(c.Height)
	bottomRoom := float64(edge) + tickSize + 8
	if c.X.Label != "" {
		bottomRoom += labelSize + 7
	}
	ratio := (y.hi - y.lo) / (x.hi - x.lo)
	switch {
	case c.Equal: // about, until the room for labels is known
		height = top + float64(ratio*(width-5*edge)) + bottomRoom
	case height == 0:
		height = 300
		if c.Y.Names != nil {
			height = top + float64(len(c.Y.Names)*rowHeight) + 10 + bottomRoom
		} else if titled {
			height += titleSize + 10
		}
	}
	if height > maxSide {
		return nil, fmt.Errorf("report: %s: the figure is more than %d units high", c.name(), maxSide)
	}
	if height-top-bottomRoom < 20 {
		return nil, fmt.Errorf("report: %s: %d×%d units leave no room for the figure", c.name(), s.width, int(height))
	}

	yTicks := y.ticks(max(int((height-top-bottomRoom)/38), 3))
	left := 0.0
	for i := range yTicks {
		yTicks[i].label = fit(yTicks[i].label, tickSize, width*0.42)
		left = max(left, textWidth(yTicks[i].label, tickSize))
	}
	left += edge + 7
	right := width - 2*edge
	if right-left < 40 {
		return nil, fmt.Errorf("report: %s: %d units leave no room for the figure", c.name(), s.width)
	}
	if c.Equal {
		height = top + float64(ratio*(right-left)) + bottomRoom
	}
	s.height = int(height)
	x.from, x.to = left, right
	y.from, y.to = height-bottomRoom, top
	if y.names != nil { // the first name at the top
		y.from, y.to = y.to, y.from
	}
	lower, upper := max(y.from, y.to), min(y.from, y.to)

	for _, t := range yTicks {
		v := y.place(t.at)
		if y.names == nil {
			s.line(grid, 1, false, at(left, v), at(right, v))
		} else {
			s.line(grid, 1, true, at(left, v), at(right, v))
		}
		s.text(faint, tickSize, at(left-6, v+4.2), end, t.label)
	}
	c.xTicks(s, x, lower, upper)
	if c.X.Label != "" {
		s.text(faint, labelSize, at((left+right)/2, height-edge-1), middle, fit(c.X.Label, labelSize, width-2*edge))
	}
	c.rules(s, x, y)
	bars := 0
	for i := range c.Series {
		if c.Series[i].Mark == Bars {
			bars++
		}
	}
	nth := 0
	for i := range c.Series {
		if c.Series[i].Mark == Bars {
			c.drawBars(s, i, nth, bars, x, y)
			nth++
		}
	}
	s.line(faint, 1, false, at(left, lower), at(right, lower))
	for _, mark := range []Mark{Line, Dots} {
		for i := range c.Series {
			if c.Series[i].Mark == mark {
				c.drawPoints(s, i, x, y)
			}
		}
	}
	return s, nil
}

func at(x, y float64) point { return point{length(x), length(y)} }

// xTicks draws the marks of X, with their labels. Where these are so long that only one has room,
// marks stand closer.
func (c *Chart) xTicks(s *scene, x *scale, lower, upper float64) {
	n := max(int((x.to-x.from)/62), 2)
	labels, drawn := x.labels(n, float64(s.width))
	for more := n + 1; drawn < 2 && x.names == nil && more < 4*n; more++ {
		labels, drawn = x.labels(more, float64(s.width))
	}
	for _, l := range labels {
		if x.names == nil {
			s.line(grid, 1, false, at(l.mark, upper), at(l.mark, lower))
		}
		if l.text != "" {
			s.text(faint, tickSize, at(l.middle, lower+tickSize+5), middle, l.text)
		}
	}
}

// A label is that of a mark of X.
type label struct {
	mark, middle float64 // places of the mark and of the text's middle
	text         string  // "" where it would touch the one before
}

// labels returns about n marks of X in a figure of a width, and how many have a text.
func (s *scale) labels(n int, width float64) (list []label, drawn int) {
	room := (s.to - s.from) / float64(max(len(s.names), 1))
	free := math.Inf(-1)
	for _, t := range s.ticks(n) {
		l := label{mark: s.place(t.at), text: t.label}
		if s.names != nil {
			l.text = fit(t.label, tickSize, max(room-4, 30))
		}
		half := float64(textWidth(l.text, tickSize) / 2)
		l.middle = min(max(l.mark, half+1), width-half-1)
		if l.middle-half < free {
			l.text = ""
		} else {
			drawn++
			free = l.middle + half + 6
		}
		list = append(list, l)
	}
	return list, drawn
}

// rules draws lines across the figure, with their names at the end.
func (c *Chart) rules(s *scene, x, y *scale) {
	free := math.Inf(-1)
	for _, r := range c.Rules {
		switch {
		case r.Y && !y.inside(r.At) || !r.Y && !x.inside(r.At):
			continue
		case r.Y:
			v := y.place(r.At)
			s.line(faint, 1.2, true, at(x.from, v), at(x.to, v))
			s.text(faint, tickSize, at(x.to, v-4), end, fit(r.Name, tickSize, x.to-x.from))
			continue
		}
		v := x.place(r.At)
		s.line(faint, 1.2, true, at(v, max(y.from, y.to)), at(v, min(y.from, y.to)))
		name := fit(r.Name, tickSize, x.to-x.from)
		half := float64(textWidth(name, tickSize) / 2)
		v = min(max(v, x.from+half), x.to-half)
		if v-half > free {
			s.text(faint, tickSize, at(v, min(y.from, y.to)-5), middle, name)
			free = v + half + 6
		}
	}
}

// colorOf returns the color of a point of a series.
func (c *Chart) colorOf(series, point int) color {
	s := &c.Series[series]
	if len(s.Shade) > 0 {
		v := s.Shade[0]
		if len(s.Shade) > 1 {
			v = s.Shade[point]
		}
		if math.IsNaN(v) {
			return faint
		}
		return shadeColor(v)
	}
	if s.Color > 0 {
		return seriesColor(s.Color - 1)
	}
	return seriesColor(series)
}

// legend draws the names of the series and the scale of shades, and returns where it ends.
func (c *Chart) legend(s *scene, top, width float64) float64 {
	const swatch, gap = 18, 14
	left, rows := float64(edge), 0
	place := func(need float64) float64 {
		if rows == 0 {
			rows = 1
		} else if left+need > width-edge {
			left, rows = edge, rows+1
		}
		v := left
		left += need + gap
		return v
	}
	base := func() float64 { return top + float64(float64(rows)*(tickSize+7)) - 7 }
	for i := range c.Series {
		if c.Series[i].Name == "" {
			continue
		}
		name := fit(c.Series[i].Name, tickSize, width-2*edge-swatch-6)
		v := place(swatch + 6 + textWidth(name, tickSize))
		y, col := base(), c.colorOf(i, 0)
		switch c.Series[i].Mark {
		case Line:
			s.line(col, lineWidth+0.5, c.Series[i].Dashed, at(v, y-4), at(v+swatch, y-4))
		case Dots:
			s.dots(col, dotSize+2, at(v+swatch/2, y-4))
		case Bars:
			s.box(col, at(v+4, y-9), at(v+14, y+1))
		}
		s.text(ink, tickSize, at(v+swatch+6, y), start, name)
	}
	if c.scale != "" {
		const bar = 66
		text := fit(c.scale+":", tickSize, width-2*edge-bar-90)
		parts := []float64{textWidth(text, tickSize) + 6, textWidth("low", tickSize) + 5, bar + 5}
		v := place(parts[0] + parts[1] + parts[2] + textWidth("high", tickSize))
		y := base()
		s.text(faint, tickSize, at(v, y), start, text)
		v += parts[0]
		s.text(ink, tickSize, at(v, y), start, "low")
		v += parts[1]
		for k := range nShades {
			s.box(shade0+color(k), at(v+float64(k*bar/nShades), y-9), at(v+float64((k+1)*bar/nShades), y))
		}
		s.text(ink, tickSize, at(v+parts[2], y), start, "high")
	}
	if rows == 0 {
		return top
	}
	return base() + 12
}

// drawBars draws a series of bars, which is the n-th of so many that stand side by side.
func (c *Chart) drawBars(s *scene, series, n, of int, x, y *scale) {
	sr := &c.Series[series]
	across, along, swap := x, y, false
	stand, reach := sr.X, sr.Y
	if c.Y.Names != nil {
		across, along, swap = y, x, true
		stand, reach = sr.Y, sr.X
	}
	group := c.barWidth()
	share := 0.9
	if of > 1 || across.names != nil {
		share = 0.72
	}
	width := float64(group*share) / float64(of)
	zero := along.from
	if !along.log {
		zero = along.placeInside(0)
	}
	for i, v := range stand {
		if !across.inside(v) {
			continue
		}
		lo := v - float64(group*share/2) + float64(float64(n)*width)
		a, b := across.placeInside(lo), across.placeInside(lo+width)
		end := along.placeInside(reach[i])
		p, q := at(min(a, b), min(zero, end)), at(max(a, b), max(zero, end))
		if swap {
			p, q = at(min(zero, end), min(a, b)), at(max(zero, end), max(a, b))
		}
		s.box(c.colorOf(series, i), p, q)
		if m := (a + b) / 2; sr.Low != nil && along.meets(sr.Low[i], sr.High[i]) {
			l, h := along.placeInside(sr.Low[i]), along.placeInside(sr.High[i])
			if swap {
				s.line(ink, 1.2, false, at(l, m), at(h, m))
			} else {
				s.line(ink, 1.2, false, at(m, l), at(m, h))
			}
		}
	}
}

// drawPoints draws a line or dots.
func (c *Chart) drawPoints(s *scene, series int, x, y *scale) {
	sr := &c.Series[series]
	across, along, stand := x, y, sr.X
	if c.Y.Names != nil {
		across, along, stand = y, x, sr.Y
	}
	for i := range sr.Low {
		if !across.inside(stand[i]) || !along.meets(sr.Low[i], sr.High[i]) {
			continue
		}
		m, l, h := across.place(stand[i]), along.placeInside(sr.Low[i]), along.placeInside(sr.High[i])
		p, q := at(m, l), at(m, h)
		if c.Y.Names != nil {
			p, q = at(l, m), at(h, m)
		}
		s.line(c.colorOf(series, i), 1.2, false, p, q)
	}
	if sr.Mark == Line {
		size := sr.Size
		if size == 0 {
			size = lineWidth
		}
		var line []point
		flush := func() {
			s.line(c.colorOf(series, 0), size, sr.Dashed, line...)
			line = nil
		}
		for i := 1; i < len(sr.X); i++ {
			a, b, in := clip(x, y, sr.X[i-1], sr.Y[i-1], sr.X[i], sr.Y[i])
			if !in {
				flush()
				continue
			}
			if len(line) == 0 || line[len(line)-1] != a {
				flush()
				line = append(line, a)
			}
			if b != a {
				line = append(line, b)
			}
		}
		if len(sr.X) == 1 && x.inside(sr.X[0]) && y.inside(sr.Y[0]) {
			s.dots(c.colorOf(series, 0), dotSize, at(x.place(sr.X[0]), y.place(sr.Y[0])))
		}
		flush()
		return
	}
	size := sr.Size
	if size == 0 {
		size = dotSize
	}
	var byColor [nColors][]point
	for i := range sr.X {
		if x.inside(sr.X[i]) && y.inside(sr.Y[i]) {
			k := c.colorOf(series, i)
			byColor[k] = append(byColor[k], at(x.place(sr.X[i]), y.place(sr.Y[i])))
		}
	}
	for k, points := range byColor {
		s.dots(color(k), size, points...)
	}
}

// clip returns the part of a line between two points that lies inside of the axes (Liang and Barsky
// 1984).
func clip(x, y *scale, x0, y0, x1, y1 float64) (a, b point, inside bool) {
	px0, py0, px1, py1 := x.place(x0), y.place(y0), x.place(x1), y.place(y1)
	if math.Abs(px0)+math.Abs(py0) > 1e9 && math.Abs(px1)+math.Abs(py1) < 1e9 {
		// Places are reckoned from the first point: one far away would round them.
		b, a, inside = clip(x, y, x1, y1, x0, y0)
		return a, b, inside
	}
	dx, dy := px1-px0, py1-py0
	left, right, upper, lower := min(x.from, x.to), max(x.from, x.to), min(y.from, y.to), max(y.from, y.to)
	lo, hi := 0.0, 1.0
	for _, e := range [...]struct{ p, q float64 }{
		{-dx, px0 - left}, {dx, right - px0}, {-dy, py0 - upper}, {dy, lower - py0},
	} {
		switch {
		case e.p == 0 && e.q < 0:
			return a, b, false
		case e.p < 0:
			lo = max(lo, e.q/e.p)
		case e.p > 0:
			hi = min(hi, e.q/e.p)
		}
	}
	if lo > hi {
		return a, b, false
	}
	on := func(t float64) point {
		return at(min(max(px0+float64(t*dx), left), right), min(max(py0+float64(t*dy), upper), lower))
	}
	return on(lo), on(hi), true
}

// table returns the numbers of the figure.
func (c *Chart) table() *table {
	if c.data != nil {
		return c.data
	}
	name := func(a *Axis, v float64) string {
		if v >= 0 && v < float64(len(a.Names)) && v == math.Trunc(v) {
			return a.Names[int(v)]
		}
		return number(v)
	}
	same := len(c.Series) > 0 && c.Y.Names == nil
	for i := range c.Series {
		same = same && slices.Equal(c.Series[i].X, c.Series[0].X) && c.Series[i].Low == nil
	}
	t := &table{}
	if same {
		t.columns = []string{c.X.Label}
		for _, s := range c.Series {
			label := s.Name
			if label == "" {
				label = c.Y.Label
			}
			t.columns = append(t.columns, label)
		}
		for i, v := range c.Series[0].X {
			row := []string{name(&c.X, v)}
			for _, s := range c.Series {
				row = append(row, number(s.Y[i]))
			}
			t.rows = append(t.rows, row)
		}
		return t.thin()
	}
	several := slices.ContainsFunc(c.Series, func(s Series) bool { return s.Name != "" })
	intervals := slices.ContainsFunc(c.Series, func(s Series) bool { return s.Low != nil })
	if several {
		t.columns = append(t.columns, "series")
	}
	t.columns = append(t.columns, c.X.Label, c.Y.Label)
	if intervals {
		t.columns = append(t.columns, "from", "to")
	}
	for _, s := range c.Series {
		for i := range s.X {
			var row []string
			if several {
				row = append(row, s.Name)
			}
			row = append(row, name(&c.X, s.X[i]), name(&c.Y, s.Y[i]))
			if s.Low != nil {
				row = append(row, number(s.Low[i]), number(s.High[i]))
			} else if intervals {
				row = append(row, "", "")
			}
			t.rows = append(t.rows, row)
		}
	}
	return t.thin()
}

// tableRows are the rows of a table that a page shows at most.
const tableRows = 200

// thin leaves rows at equal distances where there are too many, the first and the last among them.
func (t *table) thin() *table {
	n := len(t.rows)
	if n <= tableRows {
		return t
	}
	few := &table{columns: t.columns, note: fmt.Sprintf("%d of %d rows, at equal distances", tableRows, n)}
	for k := range tableRows {
		few.rows = append(few.rows, t.rows[k*(n-1)/(tableRows-1)])
	}
	return few
}

// number returns a number as tables of figures have it: with six digits.
func number(v float64) string {
	switch {
	case v == 0:
		return "0" // not −0
	case math.Abs(v) >= 1e6 && math.Abs(v) < 1e15 && v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return minus(strconv.FormatFloat(v, 'g', 6, 64))
}

// minus writes the first hyphen of a number, that of the sign or else of the exponent, as a minus.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }
