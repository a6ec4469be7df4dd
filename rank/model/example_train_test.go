package model_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// A program that trains boosted trees and saves them.
func ExampleSave() {
	train, err := data.Load("testdata/train.txt", data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	result, err := lambdamart.DefaultTrainer().Fit(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(result.Model.Trees), "trees of", result.Model.Features(), "features")
	if err := model.Save(os.TempDir()+"/model.json", result.Model); err != nil {
		log.Fatal(err)
	}
	// Output: 100 trees of 3 features
}
