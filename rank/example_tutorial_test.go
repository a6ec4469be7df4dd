package rank_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/pairwise"
)

// This example follows the tutorial "Learning to rank with scikit-learn: the pairwise transform"
// (Pedregosa 2012). In both blocks of documents, which are queries, the features affect relevance
// in the same way, but from different levels. Regression of the labels mixes up the levels. RankSVM
// compares documents only within a block.
func Example_tutorial() {
	train, err := loadBlocks("train")
	if err != nil {
		log.Fatal(err)
	}
	test, err := loadBlocks("test")
	if err != nil {
		log.Fatal(err)
	}

	_, signs := pairwise.BalancedTransform(train)
	fmt.Printf("%d documents make %d pairs, signs %v, %v, and so on in turn\n", train.Rows(), len(signs), signs[0],
		signs[1])

	ctx := context.Background()
	ridge, err := (&rank.Ridge{Alpha: 1}).Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	svm, err := (&rank.RankSVM{Loss: "hinge", C: 0.1}).Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range []struct {
		name  string
		model *rank.Linear
	}{{"ridge", ridge}, {"RankSVM", svm}} {
		norm := math.Hypot(m.model.Weights[0], m.model.Weights[1])
		fmt.Printf("%s: direction (%.4f, %.4f)\n", m.name, m.model.Weights[0]/norm, m.model.Weights[1]/norm)
		scores := make([]float64, test.Rows())
		if err := m.model.ScoreInto(ctx, scores, test); err != nil {
			log.Fatal(err)
		}
		for q, id := range test.QueryIDs {
			lo, hi := test.Query(q)
			tau, err := rank.KendallTau(scores[lo:hi], test.Labels[lo:hi])
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("  Kendall's tau on block %s: %v\n", id, tau.TauB())
		}
	}

	// Output:
	// 30 documents make 154 pairs, signs 1, -1, and so on in turn
	// ridge: direction (0.9422, -0.3352)
	//   Kendall's tau on block 0: 0.7112197171355642
	//   Kendall's tau on block 1: 0.8438727464026861
	// RankSVM: direction (0.9614, 0.2750)
	//   Kendall's tau on block 0: 0.8362693377308282
	//   Kendall's tau on block 1: 0.8438727464026861
}

// loadBlocks reads the training or the test part of the tutorial's data into a dataset with one
// query per block. The columns are x1, x2, y, block and part.
func loadBlocks(part string) (*rank.Dataset, error) {
	f, err := os.Open("testdata/blocks.csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows [][3]float64 // x1, x2, y
	offsets := []int{0}
	for _, block := range []string{"0", "1"} {
		for _, r := range records {
			if r[3] != block || r[4] != part {
				continue
			}
			var row [3]float64
			for k := range row {
				if row[k], err = strconv.ParseFloat(r[k], 64); err != nil {
					return nil, err
				}
			}
			rows = append(rows, row)
		}
		offsets = append(offsets, len(rows))
	}
	d := rank.NewDataset(len(rows), 2)
	d.Offsets, d.QueryIDs = offsets, []string{"0", "1"}
	for i, row := range rows {
		d.Row(i)[0], d.Row(i)[1] = float32(row[0]), float32(row[1])
		d.Labels[i] = row[2]
	}
	return d, nil
}
