package data_test

import (
	"fmt"
	"strings"

	"github.com/simdrank/simdrank/rank/data"
)

// The header says what the columns are; those without a role are features.
func ExampleRead_table() {
	const text = `label,qid,bm25,pagerank,doc
2,q1,11.5,0.25,D7
0,q1,3.25,,D12
1,q2,8,0.5,D7
`
	d, err := data.Read(strings.NewReader(text), data.Options{Format: "csv"})
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
	// D7 1 [8 0.5]
}

// The first cell that is wrong is named.
func ExampleRead_cell() {
	_, err := data.Read(strings.NewReader("label,qid,bm25\n2,q1,11.5\n0,q1,1.2.3\n"), data.Options{Format: "csv"})
	fmt.Println(err)
	// Output:
	// line 3, column 6: column bm25: the value is not a number: "1.2.3"
}
