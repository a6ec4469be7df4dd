package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/data"
)

// fullChart uses all features of a chart.
func fullChart() *Chart {
	return &Chart{Title: "All at once <b>&", X: Axis{Label: "step (trees)"}, Y: Axis{Label: "share (%)"},
		scale: "value",
		Series: []Series{
			{Name: "line", X: []float64{0, 1, 2, 3.3}, Y: []float64{1, 30, -5, 7}, Dashed: true},
			{Name: "dots", Mark: markDots, X: []float64{1, 2}, Y: []float64{3, 4}, Shade: []float64{0, math.NaN()},
				Low: []float64{2, 3}, High: []float64{4, 9}},
			{Name: "bars", Mark: markBars, X: []float64{0, 1, 2}, Y: []float64{3, -4, 10}},
		},
		Rules: []Rule{{At: 1.5, Name: "best"}, {y: true, At: 0, Name: "none"}}}
}

// charts are figures of all kinds.
func charts() map[string]*Chart {
	return map[string]*Chart{
		"everything": fullChart(),
		"one point":  {Title: "One", Series: []Series{{X: []float64{3}, Y: []float64{-2.5}}}},
		"equal":      {Series: []Series{{Mark: markDots, X: []float64{1, 1, 1}, Y: []float64{0, 0, 0}}}},
		"log": {X: Axis{Label: "C", Log: true}, Y: Axis{Log: true},
			Series: []Series{{X: []float64{1e-5, 1, 100}, Y: []float64{1e-300, 1, 1e300}}}},
		"narrow log": {X: Axis{Log: true}, Series: []Series{{X: []float64{3, 4, 5}, Y: []float64{1, 2, 3}}}},
		"names": {Y: Axis{Names: []string{"bm25", strings.Repeat("a long name ", 20), ""}}, X: Axis{Label: "gain"},
			Series: []Series{{Mark: markBars, X: []float64{3, 2, -1}, Y: []float64{0, 1, 2}},
				{Mark: markBars, X: []float64{1, 2, 4}, Y: []float64{0, 1, 2}}}},
		"columns": {X: Axis{Names: []string{"0", "1"}}, Series: []Series{{Mark: markBars, X: []float64{0, 1},
			Y: []float64{12345678, 2}}}},
		"clipped": {X: Axis{Min: 1, Max: 2}, Y: Axis{Min: -1, Max: 1},
			Series: []Series{{X: []float64{0, 3, 3}, Y: []float64{-3, 4, 0}}, {Mark: markDots, X: []float64{0, 1.5},
				Y: []float64{0, 0}}}},
		"huge": {Series: []Series{{X: []float64{-1e300, 1e300}, Y: []float64{1e-320, 2e-320}}}},
		"wide": {width: 1200, Height: 200, Series: []Series{{X: []float64{0, 1}, Y: []float64{0, 1}}}},
	}
}

// The same figures have the same bytes on every processor.
func TestChartBits(t *testing.T) {
	var got strings.Builder
	for _, name := range []string{"everything", "one point", "equal", "log", "narrow log", "names", "columns",
		"clipped", "huge", "wide"} {
		var svg bytes.Buffer
		if err := charts()[name].WriteSVG(&svg); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s: %x\n", name, sha256.Sum256(svg.Bytes()))
	}
	compareGolden(t, "testdata/charts.txt", got.String())
}

// compareGolden compares text with a file.
func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *testkit.Update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%swant\n%s", path, got, want)
	}
}

// elements parses XML and calls do with each element and the text in it.
func elements(t *testing.T, text string, do func(e xml.StartElement, words string)) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	var open []xml.StartElement
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %.300q", err, text)
		}
		switch v := token.(type) {
		case xml.StartElement:
			open = append(open, v.Copy())
			do(v, "")
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && len(bytes.TrimSpace(v)) > 0 {
				do(open[len(open)-1], string(v))
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Texts are inside the picture and do not overlap.
func TestChartTexts(t *testing.T) {
	for name, c := range charts() {
		t.Run(name, func(t *testing.T) {
			s, err := c.draw(true)
			if err != nil {
				t.Fatal(err)
			}
			type frame struct{ left, right, top, bottom float64 }
			var frames []frame
			for _, it := range s.items {
				if it.kind != words {
					continue
				}
				x, y := float64(it.points[0].x)/tenths, float64(it.points[0].y)/tenths
				size := float64(it.size) / tenths
				width := textWidth(it.text, size)
				f := frame{x, x + width, y - 0.75*size, y + 0.2*size}
				switch it.anchor {
				case middle:
					f.left, f.right = x-width/2, x+width/2
				case end:
					f.left, f.right = x-width, x
				}
				if f.left < 0 || f.right > float64(s.width) || f.top < 0 || f.bottom > float64(s.height) {
					t.Errorf("%q is cut: %+v of %d×%d", it.text, f, s.width, s.height)
				}
				for i, g := range frames {
					if f.left < g.right && g.left < f.right && f.top < g.bottom && g.top < f.bottom {
						t.Errorf("%q lies on text %d", it.text, i)
					}
				}
				frames = append(frames, f)
			}
		})
	}
}

func TestWriteSVG(t *testing.T) {
	var b bytes.Buffer
	if err := fullChart().WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	elements(t, b.String(), func(e xml.StartElement, words string) {
		seen[e.Name.Local] += words
		if e.Name.Local == "svg" && attribute(e, "role") != "img" {
			t.Error("role:", attribute(e, "role"))
		}
	})
	if seen["title"] != "All at once <b>&" || seen["desc"] != "share (%) over step (trees): line, dots, bars" {
		t.Errorf("title %q, description %q", seen["title"], seen["desc"])
	}
}

func TestChartErrors(t *testing.T) {
	point := []float64{1}
	for _, c := range []struct {
		chart Chart
		want  string
	}{
		{Chart{}, "report: untitled figure: a figure requires at least one value"},
		{Chart{Series: []Series{{X: point, Y: point, Shade: []float64{1.5}}}}, "shades must be from 0 to 1"},
		{Chart{Series: []Series{{X: point, Y: point, Shade: []float64{-1}}}}, "shades must be from 0 to 1"},
		{Chart{Series: []Series{{}}}, "a figure requires at least one value"},
		{Chart{Series: []Series{{X: point}}}, "the series has 1 values of X, but 0 values of Y"},
		{Chart{Series: []Series{{X: point, Y: []float64{math.NaN()}}}}, "point 0 is NaN; it must be finite"},
		{Chart{Series: []Series{{X: []float64{math.Inf(1)}, Y: point}}}, "point 0 is +Inf; it must be finite"},
		{Chart{Series: []Series{{X: point, Y: point, Low: point}}}, "1 lower and 0 upper interval ends"},
		{Chart{Series: []Series{{X: point, Y: point, Low: []float64{math.NaN()}, High: point}}},
			"point 0 is NaN; it must be finite"},
		{Chart{Series: []Series{{Mark: markBars, X: point, Y: point, Low: point, High: point}}},
			"intervals cannot be combined with bars"},
		{Chart{X: Axis{Log: true}, Series: []Series{{X: []float64{0}, Y: point}}},
			"point 0 is 0; it must be positive on a logarithmic axis"},
		{Chart{Series: []Series{{X: point, Y: point, Shade: []float64{1, 2}}}}, "2 values of Shade"},
		{Chart{Series: []Series{{X: point, Y: point, Color: 7}}}, "the color is 7"},
		{Chart{Series: []Series{{X: point, Y: point, Mark: "z"}}}, "unknown mark"},
		{Chart{Series: []Series{{X: point, Y: point, Size: -1}}}, "the size is -1"},
		{Chart{Series: []Series{{X: point, Y: point}}, Rules: []Rule{{At: math.NaN()}}},
			"the rule at NaN must be finite"},
		{Chart{Series: []Series{{X: point, Y: point}}, width: 5000}, "the size is 5000×0 pixels"},
		{Chart{Series: []Series{{X: point, Y: point}}, width: 60}, "too small for the figure"},
		{Chart{Series: []Series{{X: point, Y: point}}, Height: 40}, "too small for the figure"},
		{Chart{Series: []Series{{X: point, Y: point}}, X: Axis{Min: 2, Max: 1}}, "from 2 to 1"},
		{Chart{Series: []Series{{X: []float64{math.MaxFloat64}, Y: point}}}, "values must be from -1e300 to 1e300"},
		{Chart{Equal: true, X: Axis{Log: true}, Series: []Series{{X: point, Y: point}}},
			"Equal requires linear axes"},
		{Chart{Equal: true, Y: Axis{Names: []string{"a"}}, Series: []Series{{X: point, Y: point}}},
			"Equal requires linear axes"},
		{Chart{Equal: true, Series: []Series{{X: []float64{0, 1}, Y: []float64{0, 1e9}}}},
			"the height exceeds 4000 pixels"},
		{Chart{Equal: true, Series: []Series{{X: []float64{0, 1e9}, Y: []float64{0, 1}}}}, "too small for the figure"},
		{Chart{Y: Axis{Names: make([]string, 1e6)}, Series: []Series{{X: point, Y: point}}},
			"the height exceeds 4000 pixels"},
	} {
		t.Run(c.want, func(t *testing.T) {
			err := c.chart.WriteSVG(io.Discard)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "report: ") {
				t.Errorf("%+v: %v, want %q", c.chart, err, c.want)
			}
		})
	}
}

// Figures without values return an error.
func TestNothingToDraw(t *testing.T) {
	for i, make := range []func() (*Chart, error){
		func() (*Chart, error) { return figureLabels(&data.Description{}) },
		func() (*Chart, error) { return figureCurves(&Chart{}) },
		func() (*Chart, error) {
			lines := []Series{{X: []float64{1, 2}, Y: []float64{0, math.NaN()}}}
			return figureCurves(&Chart{Y: Axis{Log: true}, Series: lines})
		},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if c, err := make(); c != nil || err == nil {
				t.Errorf("%v, %v", c, err)
			}
		})
	}
}

// Values that differ only by rounding, and bars on a logarithmic axis, have positions and a few
// ticks.
func TestRanges(t *testing.T) {
	for _, mark := range []string{markLine, markBars} {
		t.Run(mark, func(t *testing.T) {
			for _, x := range [][]float64{{1 - 0x1p-53, 1}, {1e16, 1e16 + 2}, {1e17}, {0, 1e-320}} {
				for _, log := range []bool{false, true} {
					c := &Chart{X: Axis{Label: "x"}, Y: Axis{Label: "y", Log: log},
						Series: []Series{{Mark: mark, X: x, Y: []float64{2, 2 + 0x1p-51}[:len(x)]}}}
					s, err := c.draw(true)
					if err != nil || len(s.items) > 60 {
						t.Fatalf("%v: %v", x, err)
					}
					for _, it := range s.items {
						for _, p := range it.points {
							if p.x < 0 || p.x > s.width*tenths || p.y < 0 || p.y > s.height*tenths {
								t.Errorf("%v: %q at %v", x, it.text, p)
							}
						}
					}
				}
			}
		})
	}
}

// With equal units, a line has the slope of its values.
func TestEqual(t *testing.T) {
	for _, to := range []point{{3, 4}, {400, 300}, {10, -2}} {
		t.Run(fmt.Sprint(to), func(t *testing.T) {
			c := &Chart{Title: "Equal", Equal: true, width: 600, Height: 100, X: Axis{Label: "x"},
				Series: []Series{{X: []float64{0, float64(to.x)}, Y: []float64{0, float64(to.y)}}}}
			s, err := c.draw(true)
			if err != nil {
				t.Fatal(err)
			}
			line := s.items[len(s.items)-1].points
			dx, dy := line[1].x-line[0].x, line[0].y-line[1].y
			if off := float64(dy)/float64(dx) - float64(to.y)/float64(to.x); math.Abs(off) > 1e-3 || dx < 4000 {
				t.Errorf("%v is drawn as a line by %d and %d", to, dx, dy)
			}
		})
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale scale
		n     int
		want  string
	}{
		{scale{lo: 0, hi: 1}, 5, "0 0.2 0.4 0.6 0.8 1.0"},
		{scale{lo: 0.97, hi: 1.03}, 4, "0.98 1.00 1.02"},
		{scale{lo: -10, hi: 12345}, 3, "0 5000 10,000"},
		{scale{lo: 0, hi: 3, whole: true}, 10, "0 1 2 3"},
		{scale{lo: 0, hi: 4e6}, 2, "0 2e+06 4e+06"},
		{scale{lo: -1, hi: 1}, 2, "−1 0 1"},
		{scale{lo: 0.99999989, hi: 1}, 4, "0.9999999 0.99999995 1"},
		{scale{lo: 1234567, hi: 1234570, whole: true}, 4, "1234567 1234568 1234569 1234570"},
		{*newLogScale(1e-5, 100), 4, "1e−05 0.001 0.1 10"},
		{*newLogScale(3, 5), 4, "3 4 5"},
		{scale{lo: 0.9, hi: 2.9}, 1, "1 2"},                      // 5 and 10 have no ticks
		{scale{lo: 0.3, hi: 1.7, whole: true}, 3, "0.5 1.0 1.5"}, // one whole number
	} {
		t.Run(c.want, func(t *testing.T) {
			var got []string
			for _, tick := range c.scale.ticks(c.n) {
				got = append(got, tick.label)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%+v: %s, want %s", c.scale, s, c.want)
			}
		})
	}
}

// Every axis has two labels or more, however long they are.
func TestTwoTicks(t *testing.T) {
	for _, size := range []float64{1, 7, 123456, 1e-7} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			for k := range 400 {
				lo := size * float64(k*k%97+1)
				hi := lo + size*float64(k+1)/50
				for _, s := range []scale{{lo: lo, hi: hi}, *newLogScale(lo, hi)} {
					s.from, s.to = 50, 284
					if y := s.ticks(3); len(y) < 2 {
						t.Errorf("%+v: marks %v", s, y)
					}
					drawn := 0
					for n := 3; drawn < 2 && n < 12; n++ {
						_, drawn = s.labels(n, 300)
					}
					if drawn < 2 {
						t.Errorf("%+v: %d labels", s, drawn)
					}
				}
			}
		})
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		width float64
		want  string
	}{
		{"short", 100, "short"},
		{"a name that is too long", 60, "a name…"},
		{"line\nbreak\x00\u202e\xff", 200, "line break\uFFFD\uFFFD\uFFFD"},
		{"abc", 0, "…"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := fit(c.text, 12, c.width); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", math.Copysign(0, -1): "0", 1234567: "1234567", -0.5: "−0.5",
		1.0 / 3: "0.333333", 1e20: "1e+20"} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if got := number(v); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// Tables with many rows are shortened.
func TestThinTable(t *testing.T) {
	s := Series{}
	for i := range 1000 {
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, 1)
	}
	table := (&Chart{Series: []Series{s}}).table()
	if n := len(table.rows); n != tableRows || table.rows[0][0] != "0" || table.rows[n-1][0] != strconv.Itoa(999) ||
		table.note == "" {
		t.Errorf("%d rows, %v", len(table.rows), table.note)
	}
}
