// Command simdrank trains, applies and measures rankers on LETOR data.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/kernels"
)

func main() {
	root := &cobra.Command{Use: "simdrank", Short: "Train, apply and measure rankers on LETOR data"}
	root.AddCommand(&cobra.Command{Use: "info", Short: "Tell which kernels run", RunE: func(*cobra.Command, []string) error {
		fmt.Println(kernels.CPU())
		return nil
	}})
	if root.Execute() != nil {
		os.Exit(1)
	}
}
