// Package report draws figures of rankers and writes pages that explain them: how well they rank,
// on which queries, which features they look at, and what the data are.
//
// A [Chart] is a figure; functions named Figure… make those of one subject, and [Chart.WriteSVG]
// writes it. A [Page] has all of them in one HTML file. The same input gives
// the same bytes on every platform. Data that leave nothing to draw are an error, at the latest
// when the figure is written.
package report
