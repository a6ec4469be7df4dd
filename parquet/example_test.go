package parquet_test

import (
	"bytes"
	"fmt"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdrank/simdrank/parquet"
	"github.com/simdrank/simdrank/rank/data"
)

// Columns named label, qid and doc are the label, the query and the document. All others are
// features, and a null is a missing value.
func ExampleRead() {
	type document struct {
		Label    int32    `parquet:"label"`
		Query    string   `parquet:"qid"`
		BM25     float32  `parquet:"bm25"`
		PageRank *float64 `parquet:"pagerank"`
		Doc      string   `parquet:"doc"`
	}
	quarter := 0.25
	var file bytes.Buffer
	if err := parquetgo.Write(&file, []document{
		{2, "q1", 11.5, &quarter, "D7"},
		{0, "q1", 3.25, nil, "D12"},
		{1, "q2", 8, &quarter, "D7"},
	}); err != nil {
		fmt.Println(err)
		return
	}

	d, err := parquet.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), data.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Names)
	for i, id := range d.DocIDs {
		fmt.Println(id, d.Labels[i], d.Row(i))
	}
	// Output:
	// [bm25 pagerank]
	// D7 2 [11.5 0.25]
	// D12 0 [3.25 NaN]
	// D7 1 [8 0.25]
}
