package rank_test

import (
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank"
)

// This program computes Kendall's tau of two columns.
func ExampleKendallTau() {
	judge := []float64{1, 2, 2, 3, 4}
	system := []float64{0.1, 0.5, 0.3, 0.2, 0.9}
	k, err := rank.KendallTau(judge, system)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d concordant, %d discordant, %d tied\n", k.Concordant, k.Discordant, k.TiedX)
	fmt.Printf("tau-b %.4f, gamma %.4f, p %.4f\n", k.TauB(), k.Gamma(), k.PValue())
	// Output:
	// 7 concordant, 2 discordant, 1 tied
	// tau-b 0.5270, gamma 0.5556, p 0.2065
}
