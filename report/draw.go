package report

import (
	"math"

	"github.com/simdrank/simdrank/internal/errs"
)

// Sizes of texts and ticks in pixels.
const (
	titleSize = 15
	labelSize = 12.5
	tickSize  = 12
	lineWidth = 2
	dotSize   = 5
	rowHeight = 19 // of a named value of Y
	edge      = 8  // free on every side
)

// draw returns the scene of a figure, with or without its title.
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
	// The label of Y is above its axis, where it is horizontal.
	if c.Y.Label != "" {
		s.text(faint, labelSize, at(edge, top+labelSize), start, fit(c.Y.Label, labelSize, width-2*edge))
		top += labelSize + 8
	}
	named := false // named rules of X
	for _, r := range c.Rules {
		named = named || !r.y && r.Name != ""
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
	case c.Equal: // approximate until the width of labels is known
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
		return nil, errs.Errorf("report", "%s: the height exceeds %d pixels", c.name(), maxSide)
	}
	if height-top-bottomRoom < 20 {
		return nil, errs.Errorf("report", "%s: %d×%d pixels are too small for the figure", c.name(), s.width,
			int(height))
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
		return nil, errs.Errorf("report", "%s: a width of %d pixels is too small for the figure", c.name(), s.width)
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
		if c.Series[i].Mark == markBars {
			bars++
		}
	}
	nth := 0
	for i := range c.Series {
		if c.Series[i].Mark == markBars {
			c.drawBars(s, i, nth, bars, x, y)
			nth++
		}
	}
	s.line(faint, 1, false, at(left, lower), at(right, lower))
	for _, mark := range []string{markLine, markDots} {
		for i := range c.Series {
			if c.Series[i].mark() == mark {
				c.drawPoints(s, i, x, y)
			}
		}
	}
	return s, nil
}

func at(x, y float64) point { return point{length(x), length(y)} }

// xTicks draws the ticks of X with their labels. If the labels are so long that only one fits, it
// uses closer ticks.
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

// A label is the label of a tick of X.
type label struct {
	mark, middle float64 // positions of the tick and of the center of the text
	text         string  // "" if it would touch the previous one
}

// labels returns about n ticks of X for a figure of a width, and the number of ticks with text.
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
		case r.y && !y.inside(r.At) || !r.y && !x.inside(r.At):
			continue
		case r.y:
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

// legend draws the names of the series and the scale of shades. It returns its lower end.
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
		switch c.Series[i].mark() {
		case markLine:
			s.line(col, lineWidth+0.5, c.Series[i].Dashed, at(v, y-4), at(v+swatch, y-4))
		case markDots:
			s.dots(col, dotSize+2, at(v+swatch/2, y-4))
		case markBars:
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

// drawBars draws a series of bars, the n-th of several that are side by side.
func (c *Chart) drawBars(s *scene, series, n, of int, x, y *scale) {
	sr := &c.Series[series]
	across, along, stand, reach := x, y, sr.X, sr.Y
	if c.Y.Names != nil {
		across, along, stand, reach = y, x, sr.Y, sr.X
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
		if c.Y.Names != nil {
			p, q = at(min(zero, end), min(a, b)), at(max(zero, end), max(a, b))
		}
		s.box(c.colorOf(series, i), p, q)
	}
}

// drawPoints draws a line or dots.
func (c *Chart) drawPoints(s *scene, series int, x, y *scale) {
	sr := &c.Series[series]
	for i := range sr.Low {
		if x.inside(sr.X[i]) && y.meets(sr.Low[i], sr.High[i]) {
			m := x.place(sr.X[i])
			s.line(c.colorOf(series, i), 1.2, false, at(m, y.placeInside(sr.Low[i])), at(m, y.placeInside(sr.High[i])))
		}
	}
	if sr.mark() == markLine {
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
		// Positions are computed relative to the first point. A point far away would round them.
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
