package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// style is the style sheet of figures. Colors are variables with different values in the dark
// theme.
func style() string {
	var b strings.Builder
	for _, p := range []struct {
		before string
		colors [nColors]uint32
		after  string
	}{
		{":root{color-scheme:light dark;", lightColors, "}\n"},
		{"@media (prefers-color-scheme:dark){:root{", darkColors, "}}\n"},
		{"@media print{:root{color-scheme:light;", lightColors, "}}\n"},
	} {
		b.WriteString(p.before)
		for i, c := range p.colors {
			fmt.Fprintf(&b, "--c%d:#%06x;", i, c)
		}
		b.WriteString(p.after)
	}
	b.WriteString(`.figure text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}` + "\n")
	b.WriteString(".figure .m{text-anchor:middle}.figure .e{text-anchor:end}\n")
	b.WriteString(".figure .p{fill:none;stroke-linejoin:round;stroke-linecap:round}\n")
	for c := range nColors {
		fmt.Fprintf(&b, ".figure .f%d{fill:var(--c%d)}.figure .s%d{stroke:var(--c%d)}\n", c, c, c, c)
	}
	return b.String()
}

// svg writes a scene as an SVG element with the same coordinates. id distinguishes its title and
// description from other figures of a page. A standalone figure has its own style sheet and
// background.
func (s *scene) svg(b *bytes.Buffer, id, title, description string, alone bool) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="figure" viewBox="0 0 %d %d"`,
		s.width*tenths, s.height*tenths)
	if alone {
		fmt.Fprintf(b, ` width="%d" height="%d"`, s.width, s.height)
	}
	fmt.Fprintf(b, ` role="img" aria-labelledby="%[1]s-t %[1]s-d"><title id="%[1]s-t">%[2]s</title><desc id="%[1]s-d">%[3]s</desc>`,
		id, escape(title), escape(description))
	if alone {
		b.WriteString("<style>" + style() + "</style>")
		fmt.Fprintf(b, `<path class="f%d" d="M0 0h%dv%dh%dz"/>`, paper, s.width*tenths, s.height*tenths,
			-s.width*tenths)
	}
	b.WriteByte('\n')
	for _, it := range s.items {
		switch it.kind {
		case words:
			fmt.Fprintf(b, `<text x="%d" y="%d" font-size="%d" class="f%d%s">%s</text>`, it.points[0].x, it.points[0].y,
				it.size, it.color, [...]string{"", " m", " e"}[it.anchor], escape(it.text))
		case area:
			fmt.Fprintf(b, `<path class="f%d" d="`, it.color)
			path(b, it.points, false)
			b.WriteString(`z"/>`)
		default:
			fmt.Fprintf(b, `<path class="p s%d" stroke-width="%d"`, it.color, it.size)
			if it.dashed {
				fmt.Fprintf(b, ` stroke-dasharray="%d"`, dash)
			}
			b.WriteString(` d="`)
			path(b, it.points, it.kind == dots)
			b.WriteString(`"/>`)
		}
		b.WriteByte('\n')
	}
	b.WriteString("</svg>")
}

// dash is the length of the dashes of a line and of their gaps.
const dash = 5 * tenths

// path writes points as relative steps. Dots are lines of length 0 with round ends.
func path(b *bytes.Buffer, points []point, apart bool) {
	at := point{}
	number := func(v int, first bool) {
		if !first && v >= 0 {
			b.WriteByte(' ')
		}
		b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(v), 10))
	}
	for i, p := range points {
		letter := byte('l')
		if i == 0 || apart {
			letter = 'm'
		}
		if i < 2 || apart {
			b.WriteByte(letter)
		}
		number(p.x-at.x, i < 2 || apart)
		number(p.y-at.y, false)
		if at = p; apart {
			b.WriteString("h0")
		}
	}
}

// escape returns text for the content of elements and for attributes.
func escape(text string) string { return html.EscapeString(clean(text)) }

// WriteSVG writes the figure as an SVG document. Its colors follow the reader's light or dark
// theme. It needs no external files or fonts.
func (c *Chart) WriteSVG(w io.Writer) error {
	s, err := c.draw(true)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	s.svg(&b, "figure", c.Title, c.alt(), true)
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}
