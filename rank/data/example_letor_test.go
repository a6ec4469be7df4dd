package data_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// LETOR text holds a document per line: its relevance label, its query, its features.
func ExampleRead() {
	const text = `2 qid:10 1:0.5 2:0.25 3:1 # docid = GX001-01
0 qid:10 1:0.125 3:0.75 # docid = GX001-02
1 qid:11 1:0.5 2:1 # docid = GX002-07
`
	d, err := data.Read(strings.NewReader(text), data.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		fmt.Println("query", d.QueryIDs[q])
		for i := lo; i < hi; i++ {
			fmt.Println(" ", d.DocIDs[i], d.Labels[i], d.Row(i))
		}
	}
	// Output:
	// query 10
	//   GX001-01 2 [0.5 0.25 1]
	//   GX001-02 0 [0.125 0 0.75]
	// query 11
	//   GX002-07 1 [0.5 1 0]
}

// The first line that breaks the rules is named, with what is wrong.
func ExampleRead_error() {
	_, err := data.Read(strings.NewReader("2 qid:10 1:0.5\n0 qid:10 1:0,25\n"), data.Options{})
	fmt.Println(err)
	// Output:
	// line 2, column 10: the feature value is not a number: "1:0,25"
}

// A dataset put together by hand is written as LETOR text.
func ExampleWriteLETOR() {
	d := rank.NewDataset(2, 3)
	copy(d.Row(0), []float32{0.5, 0, 2})
	copy(d.Row(1), []float32{0, 0, 0.1})
	copy(d.Labels, []float64{1, 0})
	d.Offsets = []int{0, 2} // one query, rows 0 and 1
	d.QueryIDs = []string{"a"}
	if err := data.WriteLETOR(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 qid:a 1:0.5 3:2
	// 0 qid:a 3:0.1
}
