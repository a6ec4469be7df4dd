// Package lambdamart trains and runs boosted regression trees for ranking:
// LambdaMART (Burges 2010) and its relatives.
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
// [DefaultTrainer] has the defaults of LightGBM's lambdarank in its fields, whose comments name
// LightGBM's parameters. Fit returns the model together with the curves of the metrics that
// the evaluators of its validation sets compute. With early stopping the model ends at its best
// tree; training on all data with as many is Fit once more with Trees set to Result.Best
// ([Trainer.Retrain]).
//
// # Objectives
//
// [Builtin] lists the objectives of this package. Objective is an interface: a program's own is
// given the scores, labels and weights of a query, and returns gradients and Hessians. It may begin
// with those of a built-in one:
//
//	loss, bias, err := lambdamart.NDCG.Begin(t, d)
//
// Early stopping goes by the program's own metrics where [Trainer] has CustomMetrics, and OnTree
// may end the training at any tree with [ErrStop].
//
// The scores of [Binary] and [Regression] begin with the mean of the labels, as log odds and as it
// is: LightGBM's boost_from_average. Those of the others begin with 0, for only differences within
// a query matter: if training starts from a model that adds a number to all scores of a query, it
// grows the same trees, except for what rounding those scores to float64 changes. A model of Binary
// tells the probabilities of its scores ([Model.Probabilities]).
//
// # Zeros and missing values
//
// NaN is missing. 0 is a value or missing, as each split says, and features that rows leave out are
// 0 in a [rank.Dataset]. A split sends missing values to the side that lowered the loss more in
// training, if its node had rows with missing values.
//
// If its node had none, a split sends missing values right, where +∞ goes. So a feature that was
// never missing in training and is missing at serving time counts as larger than every threshold.
// This differs from LightGBM, which treats the value as 0 if the feature was never missing. A
// service should fill such a feature with a value, or training data should have rows without it.
//
// [Trainer] takes 0 for a value, with ZeroMissing for missing; LightGBM's models say what it was;
// XGBoost's do not, and are scored with 0 as a value unless [Model.SetZeroMissing] says otherwise.
// [Model.ZeroMissing] tells, and Absent of the dataset, whether it matters.
//
// # How it is trained
//
// Features are sorted into at most 255 bins. Each tree is grown on the derivatives of the objective
// at the scores so far, rounded to integers whose sizes sum to 2³⁰: some 10 bits for the mean
// gradient of a million rows. A leaf's histograms hold the sums of both derivatives in each bin of
// each feature. Only the smaller of two siblings is counted; the other is their parent less
// that one. A minimum number of rows is checked by its share of the Hessian, as in LightGBM, so a
// leaf may have a few rows fewer.
//
// Histograms only choose the splits. The values of leaves, and the weights of all nodes, are
// computed from the float32 derivatives of the leaves' rows, in units that are 2³² times as fine.
// In a leaf whose rows have derivatives of average size, rounding to these units changes the sums
// by less than 2^−31 of the sum of sizes, even with the maximum of 2³⁰ rows.
//
// Sums of integers are exact in any order. So the model has the same bits for any number of
// threads, with every set of kernels and on every processor, and training that is stopped and
// resumed ends where training without a break does (but for Dart).
//
// With trees of 31 leaves on 136 features, histograms take about three quarters of the time,
// derivatives a tenth, and partitions, splits and scores the rest (docs/trees.md has figures).
//
// Memory is one byte per value (two where that is at most 128 MiB, else an eighth more), 40 bytes
// per row and at most about 1 GiB of histograms: 2 KiB per feature for one leaf in two, or for all
// of a tree that grows by levels. Features of few values share bytes: two of 16 values, or eight of
// two. Of sparse data, a feature that at most one row in eight lists takes seven bytes a listed
// value, a few more per row for each 65536 bins of such features, and eight bytes per bin and leaf.
// [Trainer.Bin] and [Trainer.FitBinned] train without the features, which take four or eight bytes
// per value, and [Trainer.BinsFile] keeps the bins of dense features in a file.
//
// Dense and sparse data give the same model and scores, to the bit.
package lambdamart
