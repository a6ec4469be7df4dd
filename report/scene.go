package report

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A scene is the list of items of a figure. Its coordinates are integers in tenths of a CSS pixel.
// Everything computed from them is the same on every processor.
type scene struct {
	width, height int
	items         []item
}

// tenths is the number of coordinates per CSS pixel.
const tenths = 10

// A point is a position in a scene, relative to its upper left corner.
type point struct{ x, y int }

// An item is a line, dots, an area or a text.
type item struct {
	kind   kind
	color  color
	points []point
	size   int // width of a line, diameter of a dot, height of a font
	dashed bool
	text   string
	anchor anchor
}

type kind uint8

const (
	polyline kind = iota
	dots
	area // a polygon, filled
	words
)

// An anchor is the part of a text that is at its point.
type anchor uint8

const (
	start anchor = iota
	middle
	end
)

// length returns v units in tenths.
func length(v float64) int { return int(math.Round(float64(v * tenths))) }

func (s *scene) line(c color, width float64, dashed bool, points ...point) {
	if len(points) > 1 {
		s.items = append(s.items, item{kind: polyline, color: c, size: length(width), dashed: dashed, points: points})
	}
}

func (s *scene) dots(c color, diameter float64, points ...point) {
	if len(points) > 0 {
		s.items = append(s.items, item{kind: dots, color: c, size: length(diameter), points: points})
	}
}

// box fills a rectangle between two corners.
func (s *scene) box(c color, a, b point) {
	s.items = append(s.items, item{kind: area, color: c, points: []point{a, {b.x, a.y}, b, {a.x, b.y}}})
}

func (s *scene) text(c color, size float64, at point, a anchor, text string) {
	if text != "" {
		s.items = append(s.items, item{kind: words, color: c, size: length(size), points: []point{at}, anchor: a,
			text: text})
	}
}

// A color is an index of the palette.
type color uint8

const (
	paper color = iota
	ink
	faint // text and axes
	grid
	series0                     // and the colors of the other series after it
	shade0  = series0 + nSeries // and the steps of the value scale after it
	nColors = shade0 + nShades  // in all
	nSeries = 6
	nShades = 11
)

// The colors of series are the palette of Okabe and Ito (2008), which readers with any color vision
// can distinguish. They are lighter in the dark theme. Values range from blue over gray to orange.
var (
	lightColors = palette([...]uint32{0xffffff, 0x1c1e21, 0x5c6470, 0xe3e6ea},
		[...]uint32{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9}, 0x0072b2, 0xa9adb3, 0xd55e00)
	darkColors = palette([...]uint32{0x15181c, 0xe8eaed, 0xa2a9b4, 0x2f353d},
		[...]uint32{0x56b4e9, 0xf28e4b, 0x2bc496, 0xe29cc4, 0xf0c040, 0x7f9cf5}, 0x56b4e9, 0x7d838c, 0xf28e4b)
)

// palette returns the colors. The colors of values are interpolated between three.
func palette(base [4]uint32, series [nSeries]uint32, low, mid, high uint32) (all [nColors]uint32) {
	copy(all[:], base[:])
	copy(all[series0:], series[:])
	const half = nShades / 2
	for i := range nShades {
		a, b, k := low, mid, uint32(i)
		if i > half {
			a, b, k = mid, high, uint32(i-half)
		}
		for shift := 0; shift < 24; shift += 8 {
			from, to := a>>shift&255, b>>shift&255
			all[int(shade0)+i] |= (from*(half-k) + to*k) / half << shift
		}
	}
	return all
}

// seriesColor returns the color of a series by its number. Colors repeat after the end of the
// palette.
func seriesColor(n int) color { return series0 + color(n%nSeries) }

// shadeColor returns the color of a value from 0, low, to 1, high.
func shadeColor(v float64) color {
	return shade0 + color(min(max(int(float64(v*nShades)), 0), nShades-1))
}

// advances contains the widths of the characters from space to tilde in the font Go Regular, in
// thousandths of its size.
var advances = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 584, 584, 316, 584, 316, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 306, 306, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 399, 496, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 247, 253, 500, 268, 833, 556, 556,
	556, 556, 333, 500, 283, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// textWidth returns the width of a cleaned text at a size. The reader's font is unknown; the widest
// common fonts are an eighth wider than Go Regular.
func textWidth(text string, size float64) float64 {
	sum := 0
	for _, r := range text {
		switch {
		case r <= '~':
			sum += advances[r-' '] * 9 / 8
		case r < 0x1100:
			sum += 700
		default:
			sum += 1000 // a square
		}
	}
	return float64(float64(sum)*size) / 1000
}

// fit returns text, shortened by an ellipsis if it is wider than width.
func fit(text string, size, width float64) string {
	text = clean(text)
	if textWidth(text, size) <= width {
		return text
	}
	for text != "" {
		_, n := utf8.DecodeLastRuneInString(text)
		if text = text[:len(text)-n]; textWidth(text+"…", size) <= width {
			break
		}
	}
	return strings.TrimRight(text, " ") + "…"
}

// clean returns a text on one line, with only characters that XML allows.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069:
			return utf8.RuneError // control characters, some of which change the text direction
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
