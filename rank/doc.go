// Package rank trains, applies and measures rankers: RankSVM, Kendall's tau, NDCG
// and the metrics around them, on data in LETOR's form: documents with labels and features, by
// query.
//
// # From a file to a ranker
//
// A ranking problem is a set of queries, each with documents that have a relevance
// label and a vector of features. Package data reads one into a [Dataset] from LETOR text, CSV or a
// data file, and the module parquet from Parquet:
//
//	train, err := data.Load("train.txt", data.Options{})
//	…
//
// The example of [Dataset] makes one of Go values. Every model is trained in the same way:
//
//	svm := rank.RankSVM{C: 1}
//	model, err := svm.Fit(ctx, train)
//
// [RankSVM] learns from the pairs of documents of a query that differ in label, to
// the optimum of its objective and without ever writing a pair down; [Ridge] is
// the pointwise baseline to beat. Both return a [Linear] model, which scores
// documents ([Model]). Package lambdamart trains boosted trees on the same data, package tune
// searches for settings of either, and package explain tells why a document is where it is. Package
// model saves and loads models, also in the formats of SVMlight, liblinear, LightGBM, XGBoost,
// RankLib and Solr. Package pairwise contains the textbook forms of training from pairs, in plain
// code.
//
// # Metrics
//
// [Measure] measures one list of labels and scores by a metric; [ParseMetric] defines the metrics.
// [Evaluate] measures a model on many queries by many metrics, from one sort of each query:
//
//	results, err := rank.Evaluate(ctx, model, test, "ndcg@10,map,tau-b", rank.Options{})
//
// An [Evaluator] does so for lists of labels and scores from elsewhere, too. [kernels.AppendOrder]
// and [kernels.AppendTopK] give the ranking of scores itself.
//
// Tools disagree on what NDCG is, and the choice moves a mean more than most
// models do. So each choice is a field of [Options] with a documented default: the gain, the
// discount, the order of equal scores, what a query without relevant documents
// counts. Its Preset takes those of scikit-learn, trec_eval, XGBoost, LightGBM, CatBoost or
// the LETOR scripts. Results tell how many queries were counted and skipped.
//
// Package trec reads TREC's judgments and runs, package treceval measures them as trec_eval does,
// and package fusion makes one run of several. Package compare tests whether systems
// differ, and prints tables with marks of significance.
//
// # Rank correlation
//
// [KendallTau] counts concordant, discordant and tied pairs exactly, in O(n log n)
// time; the coefficients and the p-value are methods of the counts, [Kendall].
//
// # The same bits
//
// Models, scores, metrics, counts, confidence intervals and p-values have the same bits on
// every processor, with every set of kernels and with any number of threads. Two things are not
// covered: what a function of the caller computes, such as [RankSVM].Gain, and products in
// arguments. The compiler may fuse a product with a sum if it inlines a function, so write
// float64(x*y) in place of x*y.
//
// # Goroutines
//
// Goroutines may share datasets, models, judgments, runs, trainers and evaluators as long as none
// of them changes their fields. Fit changes neither the options nor the data. A workspace is for
// one goroutine at a time. Types with a field Threads start that many goroutines themselves, at
// most 256 or GOMAXPROCS; 0 or less means GOMAXPROCS.
//
// # Results in slices of the caller
//
// A function whose name begins with Append appends its results to dst and returns the extended
// slice. A function whose name ends in Into fills dst, whose length must be the number of results.
//
// # Progress
//
// Operations that can take long have a field Progress in their options: a function that is called
// with the number of steps done and their total, to draw a progress bar for example. Functions
// without options take it as their last argument. nil reports nothing. One contract holds
// everywhere:
//
//   - Calls never overlap, whatever the number of threads. They may come from different goroutines.
//   - While the operation runs, done does not fall, and total, which is positive, does not change.
//     Only readers may not know the total; it is 0 then.
//   - The last call of an operation that succeeds has done == total, if that is known. There may be
//     no call if there is little to do.
//   - The operation waits for the function, which must be quick.
//
// Functions that receive results, such as [RankSVM].OnIteration, have names that begin with On.
//
// # Errors
//
// Nothing here panics on data. Errors begin with the package that was called or with the place in
// a file. A program can branch on these, which [errors.As] and [errors.Is] find:
//
//   - [*ParseError]: input is wrong; it has the file, the line, the column and the text
//   - [*OptionError]: an option would accept the input; it has the name of the option
//   - [ErrNaN]: a number without a rank
//   - [context.Canceled] and the like: the context of a call ended; what takes long takes one
//
// Other packages add RunError and ErrNoTopics (fusion), ErrStop (lambdamart), ErrUnjudged and
// ErrUnreferred (trec). Package data lists the errors of reading files.
package rank
