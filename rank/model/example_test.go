package model_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// A model of any kind scores; its type tells the kind.
func ExampleRead() {
	file := bytes.NewBufferString("solver_type L2R_L2LOSS_RANKSVM\nnr_class 2\nnr_feature 2\nbias -1\nw\n0.5\n-2\n")
	m, err := model.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	switch m := m.(type) {
	case *rank.Linear:
		fmt.Println("linear:", m.Weights)
	case *lambdamart.Model:
		fmt.Println("trees:", len(m.Trees))
	}
	fmt.Println(m.Features(), m.Score([]float32{4, 1}))
	// Output:
	// linear: [0.5 -2]
	// 2 0
}

func ExampleWrite() {
	linear := &rank.Linear{Weights: []float64{0.5, -2}, Intercept: 1}
	var text bytes.Buffer
	if err := model.Write(&text, linear, "json"); err != nil {
		log.Fatal(err)
	}
	fmt.Print(text.String())
	back, err := model.Read(&text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Score([]float32{4, 1}))
	// Output:
	// {"format":"simdrank-linear","version":1,"intercept":1,"weights":[0.5,-2]}
	// 1
}

// A model of XGBoost's format scores the same in either program.
func ExampleWrite_trees() {
	trees := &lambdamart.Model{NumFeatures: 2, Trees: []lambdamart.Tree{{
		Feature: []int32{1}, Threshold: []float32{2}, Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{-1, 1},
	}}}
	var text bytes.Buffer
	if err := model.Write(&text, trees, "xgboost"); err != nil {
		log.Fatal(err)
	}
	back, err := model.Read(&text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Features(), back.Score([]float32{0, 2}), back.Score([]float32{0, 3}))
	// Output: 2 -1 1
}
