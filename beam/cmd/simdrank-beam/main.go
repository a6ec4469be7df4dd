// Command simdrank-beam trains on, scores and measures data on Apache Beam: see its --help.
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
	// Runners start this program on their workers, with flags of the SDK alone. Init serves the
	// runner then, and does not return.
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "--worker") {
		flag.Parse()
		beam.Init()
	}
	ctx := cli.Context()
	os.Exit(inOwnTemp(func() int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) }))
}

// inOwnTemp has temporary files be made in a folder of their own, which is gone at the end: the SDK
// leaves one behind for each pipeline.
func inOwnTemp(do func() int) int {
	if dir, err := os.MkdirTemp("", "simdrank-beam-"); err == nil {
		defer os.RemoveAll(dir)
		for _, name := range []string{"TMPDIR", "TMP"} { // of Unix and of Windows
			os.Setenv(name, dir)
		}
	}
	return do()
}
