package report

import (
	"image"
	stdcolor "image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/vector"
)

// WritePNG writes the figure as a PNG on white paper, with two pixels for each unit of length.
// Curves of letters are drawn in float32, so that a pixel may differ by a shade between processors.
func (c *Chart) WritePNG(w io.Writer) error {
	s, err := c.draw(true)
	if err != nil {
		return err
	}
	return png.Encode(w, s.raster(2))
}

// raster draws a scene with so many pixels for each unit.
func (s *scene) raster(scale int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, s.width*scale, s.height*scale))
	draw.Draw(img, img.Bounds(), image.NewUniform(rgb(paper)), image.Point{}, draw.Src)
	faces := map[int]font.Face{}
	for _, it := range s.items {
		if it.kind == words {
			if faces[it.size] == nil {
				faces[it.size] = newFace(float64(it.size*scale) / tenths)
			}
			d := font.Drawer{Dst: img, Src: image.NewUniform(rgb(it.color)), Face: faces[it.size]}
			d.Dot.X = fixedOf(float64(it.points[0].x*scale) / tenths)
			d.Dot.Y = fixedOf(float64(it.points[0].y*scale) / tenths)
			if width := d.MeasureString(it.text); it.anchor == middle {
				d.Dot.X -= width / 2
			} else if it.anchor == end {
				d.Dot.X -= width
			}
			d.DrawString(it.text)
			continue
		}
		fill(img, rgb(it.color), it.outlines(scale))
	}
	return img
}

func rgb(c color) stdcolor.RGBA {
	v := lightColors[c]
	return stdcolor.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// A corner is one of a polygon, in pixels.
type corner struct{ x, y float64 }

// outlines returns polygons, all of one orientation, that cover an item.
func (it *item) outlines(scale int) (all [][]corner) {
	pixels := func(v int) float64 { return float64(v*scale) / tenths }
	points := make([]corner, len(it.points))
	for i, p := range it.points {
		points[i] = corner{pixels(p.x), pixels(p.y)}
	}
	r := pixels(it.size) / 2
	switch it.kind {
	case area:
		return [][]corner{points}
	case dots:
		for _, p := range points {
			all = append(all, disc(p, r))
		}
		return all
	}
	for i, p := range points {
		if !it.dashed {
			all = append(all, disc(p, r))
		}
		if i == 0 {
			continue
		}
		from := points[i-1]
		dx, dy := p.x-from.x, p.y-from.y
		n := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		if n == 0 {
			continue
		}
		ux, uy := dx/n, dy/n
		step, length := n, n
		if it.dashed {
			step, length = 2*pixels(dash), pixels(dash)
		}
		for k := 0; float64(float64(k)*step) < n; k++ {
			lo := float64(float64(k) * step)
			hi := min(lo+length, n)
			x0, y0 := from.x+float64(ux*lo), from.y+float64(uy*lo)
			x1, y1 := from.x+float64(ux*hi), from.y+float64(uy*hi)
			rx, ry := float64(uy*r), float64(ux*r)
			all = append(all, []corner{{x0 + rx, y0 - ry}, {x1 + rx, y1 - ry}, {x1 - rx, y1 + ry}, {x0 - rx, y0 + ry}})
		}
	}
	return all
}

// disc returns a polygon of 16 corners about a circle.
func disc(p corner, r float64) []corner {
	const c1, c2, c3 = 0.9238795325112867, 0.7071067811865476, 0.3826834323650898 // cosines of π/8, π/4, 3π/8
	circle := [...]corner{{1, 0}, {c1, c3}, {c2, c2}, {c3, c1}, {0, 1}, {-c3, c1}, {-c2, c2}, {-c1, c3},
		{-1, 0}, {-c1, -c3}, {-c2, -c2}, {-c3, -c1}, {0, -1}, {c3, -c1}, {c2, -c2}, {c1, -c3}}
	polygon := make([]corner, len(circle))
	for i, c := range circle {
		polygon[i] = corner{p.x + float64(c.x*r), p.y + float64(c.y*r)}
	}
	return polygon
}

// tile is the side of the squares that are filled one after the other: up to this size the
// rasterizer computes with integers, which is faster.
const tile = 512

// fill fills polygons, given in pixels.
func fill(img *image.RGBA, c stdcolor.RGBA, polygons [][]corner) {
	bounds := image.Rectangle{Min: image.Pt(math.MaxInt32, math.MaxInt32), Max: image.Pt(math.MinInt32, math.MinInt32)}
	for _, p := range polygons {
		for _, q := range p {
			x, y := int(math.Floor(q.x)), int(math.Floor(q.y))
			bounds.Min = image.Pt(min(bounds.Min.X, x), min(bounds.Min.Y, y))
			bounds.Max = image.Pt(max(bounds.Max.X, x+1), max(bounds.Max.Y, y+1))
		}
	}
	bounds = bounds.Intersect(img.Bounds())
	for top := bounds.Min.Y; top < bounds.Max.Y; top += tile {
		for left := bounds.Min.X; left < bounds.Max.X; left += tile {
			at := image.Rect(left, top, left+tile, top+tile).Intersect(bounds)
			r := vector.NewRasterizer(at.Dx(), at.Dy())
			for _, p := range polygons {
				for i, q := range p {
					x, y := float32(q.x-float64(left)), float32(q.y-float64(top))
					if i == 0 {
						r.MoveTo(x, y)
					} else {
						r.LineTo(x, y)
					}
				}
				r.ClosePath()
			}
			r.Draw(img, at, image.NewUniform(c), image.Point{})
		}
	}
}
