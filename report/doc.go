// Package report draws figures of rankers and writes pages that explain them: how well they rank,
// on which queries, which features they use, and what the data are.
//
// [Page.Write] writes all figures of a [Page] and its tables as one HTML file, and [Page.Figure]
// draws one of them. A [Chart] is a figure, one of a page or your own, and [Chart.WriteSVG] writes
// it. The same input gives the same bytes on every platform. Data that leave nothing to draw are an
// error, at the latest when the figure is written.
package report
