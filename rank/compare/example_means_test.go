package compare_test

import (
	"context"
	"log"
	"os"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// This program prints the mean of a metric with its interval, over all queries and for each group.
func ExampleMeans() {
	metric, err := rank.ParseMetric("ndcg@10")
	if err != nil {
		log.Fatal(err)
	}
	results := &rank.Results{QueryIDs: []string{"1", "2", "3", "4", "5"}, Metrics: []rank.MetricResult{
		{Metric: metric, Values: []float64{0.9, 0.7, 0.8, 0.3, 0.5}}}}
	table, err := compare.Means(context.Background(), compare.System{Name: "model", Results: results},
		compare.Options{Interval: "student", Groups: []string{"short", "short", "short", "long", "long"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Write(os.Stdout, "markdown"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// | Group | System | ndcg@10 |
	// |:--|:--|--:|
	// | all queries | model | 0.6400<br>\[0.3410, 0.9390] |
	// | long | model | 0.4000<br>\[-0.8706, 1.6706] |
	// | short | model | 0.8000<br>\[0.5516, 1.0484] |
	//
	// brackets: 95% Student interval of the mean;
	// queries: 5
}
