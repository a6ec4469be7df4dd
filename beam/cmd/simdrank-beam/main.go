// Command simdrank-beam trains, applies and evaluates rankers on Apache Beam. See simdrank-beam
// --help.
package main

import (
	"flag"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"

	"github.com/simdrank/simdrank/internal/cli"
)

func main() {
	// Runners start this program on their workers, only with flags of the SDK. Init then serves the
	// runner and does not return.
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "--worker") {
		flag.Parse()
		beam.Init()
	}
	ctx := cli.Context()
	os.Exit(inOwnTemp(func() int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) }))
}

// inOwnTemp runs do with a temporary folder of its own, which it removes at the end, because the
// SDK leaves a temporary file behind for each pipeline.
func inOwnTemp(do func() int) int {
	if dir, err := os.MkdirTemp("", "simdrank-beam-"); err == nil {
		defer os.RemoveAll(dir)
		for _, name := range []string{"TMPDIR", "TMP"} { // on Unix and on Windows
			os.Setenv(name, dir)
		}
	}
	return do()
}
