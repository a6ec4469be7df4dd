package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// loadModel reads a model of any kind, which its content tells.
func loadModel(cmd *cobra.Command, path string) (rank.Model, error) {
	return loadWith(cmd, path, lambdamart.ReadAny)
}

// featuresOf returns the number of features that the model knows.
func featuresOf(m rank.Model) int {
	switch m := m.(type) {
	case *lambdamart.Model:
		return m.Features
	case *rank.Linear:
		return len(m.Weights)
	}
	panic(fmt.Sprintf("a model of type %T", m)) // ReadAny returns no other
}

// linearFormats and treeFormats are what convert writes models as.
var (
	linearFormats = map[string]rank.ModelFormat{
		"json": rank.ModelJSON, "svmlight": rank.ModelSVMLight, "liblinear": rank.ModelLiblinear,
	}
	treeFormats = map[string]lambdamart.Format{
		"json": lambdamart.JSON, "lightgbm": lambdamart.LightGBM, "xgboost": lambdamart.XGBoost,
	}
)

// modelWriter returns what writes the model in one of the formats of its kind.
func modelWriter(m rank.Model, format string) (func(io.Writer) error, error) {
	switch m := m.(type) {
	case *lambdamart.Model:
		if f, ok := treeFormats[format]; ok {
			return func(w io.Writer) error { return m.Write(w, f) }, nil
		}
		return nil, fmt.Errorf("%s is a format of linear models, and this one is of trees", format)
	case *rank.Linear:
		if f, ok := linearFormats[format]; ok {
			return func(w io.Writer) error { return m.Write(w, f) }, nil
		}
		return nil, fmt.Errorf("%s is a format of models of trees, and this one is linear", format)
	}
	panic(fmt.Sprintf("a model of type %T", m)) // ReadAny returns no other
}

// asModel keeps a nil pointer that comes with an error from being a model.
func asModel[M rank.Model](m M, err error) (rank.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
