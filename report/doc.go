// Package report draws figures about rankers and writes HTML pages about them. A page shows the
// ranking quality, overall and by query, the features that the rankers use, and statistics of the
// data.
//
// [Page.Write] writes all figures and tables of a [Page] to one HTML file, and [Page.Figure]
// returns one of the figures:
//
//	page := report.Page{
//		Data:    report.Set{Name: "test", Data: d},
//		Systems: []report.System{{Name: "model", Model: m, Scores: scores}},
//	}
//	err := page.Write(ctx, file)
//
// A [Chart] is a figure of a page or a custom figure. [Chart.WriteSVG] writes it as SVG. Output is
// deterministic: the same input produces the same bytes on every platform. If there is nothing to
// draw, Figure or WriteSVG returns an error.
package report
