package order

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern/kerntest"
)

type (
	entry = kerntest.Entry
	draw  = kerntest.Draw
)

// table lists the kernels of this package: each test file adds its own in a variable declaration,
// var _ = register(entry{…}, …).
var table kerntest.Table

func register(entries ...entry) struct{} {
	table = append(table, entries...)
	return struct{}{}
}

func TestTable(t *testing.T) { table.Test(t) }

func TestTableCases(t *testing.T) { table.TestCases(t) }

func TestTablePlaces(t *testing.T) { table.TestPlaces(t) }

func TestTableAllocations(t *testing.T) { table.TestAllocations(t) }

func TestGolden(t *testing.T) { table.TestGolden(t) }

// Partitions ask for the kind of processor: these run what other ones than this do.
func TestCores(t *testing.T) {
	for _, core := range cpu.Cores() {
		t.Run(core.String(), func(t *testing.T) {
			defer cpu.ForceCore(core)()
			for _, e := range table {
				if strings.HasPrefix(e.Name, "Partition") {
					kerntest.Table{e}.Test(t)
				}
			}
		})
	}
}
