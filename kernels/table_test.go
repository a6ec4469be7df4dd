package kernels

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

type (
	entry = testkit.Entry
	draw  = testkit.Draw
)

// table lists the kernels of this package: each test file adds its own in a variable declaration,
// var _ = register(entry{…}, …).
var table testkit.Table

func register(entries ...entry) struct{} {
	table = append(table, entries...)
	return struct{}{}
}

func TestTable(t *testing.T) { table.Test(t) }

func TestTableCases(t *testing.T) { table.TestCases(t) }

func TestTablePlaces(t *testing.T) { table.TestPlaces(t) }

func TestTableAllocations(t *testing.T) { table.TestAllocations(t) }

func TestExamples(t *testing.T) { table.TestExamples(t) }

func TestGolden(t *testing.T) { table.TestGolden(t) }

// byCore are the kernels that depend on the kind of processor.
var byCore = strings.Fields("DotF64 DotF32 DotF32Wide GemvF32Wide AddGemvTF32Wide")

// The tests above run the code for this processor. These tests run the code for every kind of
// processor.
func TestCores(t *testing.T) { table.TestCores(t, byCore...) }
