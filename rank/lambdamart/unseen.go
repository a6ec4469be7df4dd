package lambdamart

// UnseenMissing counts the values of a request that are missing although their features were never
// missing in training. It also returns the row and the feature of the first such value. A server
// can use it to reject or report documents that lack features. x, rows, cols and stride are the
// same as for [Scorer.ScoreRowsInto], and UnseenMissing panics if they are invalid. It does not
// allocate.
//
// The result is 0, −1, −1 if no such value exists, or if MissingFeatures of the model is nil.
// NaN is missing. If [Model.ZeroMissing] returns true, 0 is also missing. Features that the rows
// lack are 0.
func (s *Scorer) UnseenMissing(x []float32, rows, cols, stride int) (count, row, feature int) {
	checkRows("UnseenMissing", x, rows, cols, stride)
	row, feature = -1, -1
	for i := range rows {
		for f, seen := range s.model.MissingFeatures {
			if seen {
				continue
			}
			var v float32
			if f < cols {
				v = x[i*stride+f]
			}
			if v == v && !(v == 0 && s.zeroMissing) {
				continue
			}
			if count == 0 {
				row, feature = i, f
			}
			count++
		}
	}
	return count, row, feature
}
