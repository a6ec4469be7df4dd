// Package rank trains, applies and evaluates learning-to-rank models on the CPU. It contains
// RankSVM, a ridge regression baseline, NDCG and other ranking metrics, and Kendall's tau. Data
// follows the LETOR model: each query has documents, and each document has a relevance label and a
// feature vector.
//
// # From a file to a ranker
//
// Start by reading a [Dataset]. Package data reads LETOR text, CSV and data files, and the module
// parquet reads Parquet:
//
//	train, err := data.Load("train.txt", data.Options{})
//	…
//
// [Builder] and [FromColumns] build a dataset from Go values. Every model is trained in the same
// way:
//
//	svm := rank.RankSVM{C: 1}
//	model, err := svm.Fit(ctx, train)
//
// [RankSVM] learns from pairs of documents that belong to the same query and have different labels.
// It finds the optimum of its objective without materializing the pairs. [Ridge] is a pointwise
// baseline. Both return a [Linear] model, which implements [Model] and scores documents.
//
// Several packages build on this one. Package lambdamart trains gradient-boosted decision trees on
// the same data, package tune searches for hyperparameters, and package explain shows why a
// document has its rank. Package model saves and loads models, also in the formats of SVMlight,
// liblinear, LightGBM, XGBoost, CatBoost, ONNX, RankLib and Solr. Package serve ranks the documents
// of requests with such models. Package pairwise contains textbook implementations of pairwise
// training in plain Go.
//
// # Metrics
//
// [Measure] computes one metric for one list of labels and scores; [ParseMetric] defines the
// metrics. [Evaluate] computes several metrics of a model on many queries, and sorts each query
// only once:
//
//	results, err := rank.Evaluate(ctx, model, test, "ndcg@10,map,tau-b", rank.Options{})
//
// An [Evaluator] does the same for labels and scores from other sources. To rank scores without
// evaluating them, use [kernels.AppendOrder] or [kernels.AppendTopK].
//
// Tools disagree on the definition of NDCG, and the choice often changes a mean by more than a
// better model would. Therefore each choice is a field of [Options] with a documented default: the
// gain, the discount, the order of ties, and the value of a query without relevant documents. The
// field Preset selects the conventions of scikit-learn, trec_eval, XGBoost, LightGBM, CatBoost or
// the LETOR scripts. Results report the numbers of counted and skipped queries.
//
// Package trec reads TREC judgments and runs, package treceval evaluates them as trec_eval does,
// and package fusion fuses several runs into one. Package compare tests whether systems differ, and
// prints tables that mark significant differences. To measure with clicks instead of judgments, use
// package counterfactual for logged clicks, or package interleave for online tests.
//
// # Rank correlation
//
// [KendallTau] counts concordant, discordant and tied pairs exactly, in O(n log n) time. The
// coefficients and the p-value are methods of the returned counts, [Kendall].
//
// # Determinism
//
// Models, scores, metrics, counts, confidence intervals and p-values are deterministic: they are
// bit-identical on every processor, with every instruction set and for any number of threads. There
// are two exceptions: values that your own functions compute, such as [RankSVM].Gain, and arguments
// that contain a product. If the compiler inlines a function, it may fuse such a product with a
// sum, so write float64(x*y) instead of x*y.
//
// # Concurrency
//
// Datasets, models, judgments, runs, trainers and evaluators are safe for concurrent use as long as
// no goroutine changes their fields. Fit changes neither the options nor the data. A workspace must
// be used by only one goroutine at a time. A type with a field Threads starts that many goroutines
// itself, but at most 256 or GOMAXPROCS, whichever is larger. If Threads is 0 or negative, it uses
// GOMAXPROCS goroutines.
//
// # Results in slices of the caller
//
// A function whose name begins with Append appends its results to dst and returns the extended
// slice. A function whose name ends in Into fills dst; the length of dst must be the number of
// results.
//
// # Progress
//
// The options of long operations have a field Progress. It is a function that is called with the
// number of completed steps and their total, for example to draw a progress bar. Functions without
// options accept it as their last argument. If it is nil, no progress is reported. The same rules
// hold everywhere:
//
//   - Calls never overlap, for any number of threads. They may come from different goroutines.
//   - During one operation, done never decreases, and total is constant. The total is positive,
//     except that it is 0 if a reader does not know it.
//   - The last call of a successful operation has done == total if the total is known. A short
//     operation may make no call.
//   - The operation waits for the function to return, so the function must be fast.
//
// Names of functions that receive results, such as [RankSVM].OnIteration, begin with On.
//
// # Errors
//
// Functions return errors for invalid data and never panic on it. An error message begins with the
// name of the package or with the position in a file. A program can test for these errors with
// [errors.As] and [errors.Is]:
//
//   - [*ParseError]: the input is invalid. The error contains the file, the line, the column and
//     the text.
//   - [*OptionError]: the input would be accepted if an option were set. The error contains the
//     name of the option.
//   - [ErrNaN]: a number is NaN and therefore has no rank.
//   - [context.Canceled] and other context errors: the context ended. Every long operation accepts
//     a context.
//
// Other packages define more errors: RunError and ErrNoTopics (fusion), ErrStop (lambdamart),
// ErrUnjudged and ErrUnreferred (trec). The documentation of package data lists the errors of its
// readers.
package rank
