// Package lambdamart trains gradient-boosted decision trees for ranking, and scores documents with
// them. It implements LambdaMART (Burges 2010) and related objectives.
//
// # From data to a ranker
//
//	t := lambdamart.DefaultTrainer()
//	t.Validation = []lambdamart.Validation{{Name: "valid", Data: valid}}
//	t.EarlyStopping = 20
//	result, err := t.Fit(ctx, train)
//	…
//	err = result.Model.ScoreInto(ctx, scores, test)
//
// [DefaultTrainer] returns a trainer whose fields contain the defaults of LightGBM's lambdarank.
// Field comments name the corresponding LightGBM parameters. Fit returns the model and the curves
// of the validation metrics. With early stopping, the model keeps only the trees up to the best
// metric value. To train on all data with the best number of trees, call [Trainer.Retrain]. It
// calls Fit with Trees set to Result.Best.
//
// To rank the documents of requests, use package serve. It uses a [Scorer], which [Model.Scorer]
// makes.
//
// # Objectives
//
// [Builtin] lists the objectives of this package. To use your own, implement [Objective]: it
// receives the scores, labels and weights of a query, and returns gradients and Hessians. It may
// call a built-in objective first:
//
//	loss, bias, err := lambdamart.NDCG.Begin(t, d)
//
// If [Trainer] has CustomMetrics, early stopping uses the first of them. OnTree may end training
// after any tree by returning [ErrStop].
//
// The scores of [Binary] and [Regression] start from the mean label, as with LightGBM's
// boost_from_average. For Binary, the mean is converted to log odds. The scores of other objectives
// start from 0, because only differences within a query matter. A start model that adds the same
// constant to all scores of a query therefore changes the trees only through float64 rounding. For
// a model that was trained with Binary, [Model.Probabilities] converts scores to probabilities.
//
// # Zeros and missing values
//
// NaN is always missing. Each split determines whether 0 is also missing. Features that a row omits
// are 0 in a [rank.Dataset]. If rows with missing values reached a split in training, the split
// sends missing values to the side that reduced the loss more.
//
// If no such rows reached the split, it sends missing values to the side of the feature's median in
// the training data. Therefore a numerical feature that was never missing in training but is
// missing at serving time counts as its median. The median is the lower median of the values that
// are not missing, in the sample of rows from which the bins are computed. Categorical splits send
// such values right, like unknown categories. LightGBM differs: it treats the value as 0 if the
// feature was never missing. If a feature can be missing at serving time, train on data in which
// some rows lack it. [Scorer.UnseenMissing] reports values that are missing only at serving time.
//
// [Trainer] treats 0 as a value by default, and as missing if ZeroMissing is set. LightGBM models
// record the choice. XGBoost models do not; they treat 0 as a value unless you call
// [Model.SetZeroMissing]. Check [Model.ZeroMissing] and the field Absent of the dataset to see
// whether this affects you.
//
// # How trees are trained
//
// Features are sorted into at most 255 bins. Each tree is fitted to the derivatives of the
// objective at the current scores. The derivatives are rounded to integers whose absolute values
// sum to 2³⁰. For a million rows, the mean gradient therefore has about 10 bits.
//
// A leaf's histograms hold the sums of both derivatives for each bin of each feature. Of two
// sibling leaves, only the smaller one needs new histograms: the other leaf's histograms are the
// parent's histograms minus these. As in LightGBM, the number of rows of a leaf is estimated from
// its share of the Hessian. A leaf may therefore have slightly fewer rows than MinRows.
//
// Histograms are used only to choose the splits. Leaf values and node weights are computed from the
// float32 derivatives of the leaf's rows, rounded to units that are 2³² times smaller. If a leaf's
// derivatives are of average size, this rounding changes a sum by less than 2⁻³¹ of the sum of
// absolute values. This is true even for 2³⁰ rows, which is the maximum.
//
// Integer sums are exact in any order. Therefore training is deterministic: the model is
// bit-identical for any number of threads, with every instruction set and on every processor.
// Except with Dart, training that is interrupted and resumed produces the same model as
// uninterrupted training.
//
// With trees of 31 leaves on 136 features, histograms account for about three quarters of the time,
// and derivatives for a tenth. The rest is partitions, splits and scores
// (docs/explanation/training.md has figures).
//
// Training uses 2 bytes of memory per feature value, or 1.125 bytes if the total would exceed 128
// MiB. A byte can hold two features with at most 16 values, or eight features with two values. In
// addition, training uses 40 bytes per row and at most about 1 GiB for histograms. Histograms use 2
// KiB per feature for half of a tree's leaves, or for all of its leaves with DepthWise.
//
// In sparse data, a feature that is listed in at most an eighth of the rows uses seven bytes per
// listed value. For such features, training also uses a few bytes per row for every 65,536 bins,
// and eight bytes per bin and leaf. The original features use another four or eight bytes per
// value; [Trainer.Bin] and [Trainer.FitBinned] can train without them. [Trainer.BinsFile] stores
// the bins of dense features in a file.
//
// A feature occurs if it is nonzero in some row. If sparse data has more than 65,536 features and
// at most a quarter of them occur, training uses memory only for the features that occur, unless
// ZeroMissing is set.
//
// Models and scores are bit-identical for dense and sparse data.
//
// # Errors
//
// [ErrStop] is the only error variable of this package. Errors about a row wrap [*rank.ParseError]
// if the row was read from a file. Errors that an option would avoid wrap [*rank.OptionError]. If
// the context ends, Fit returns the context's error together with the trees so far.
package lambdamart
