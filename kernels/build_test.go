package kernels

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/guard"
)

// With -tags purego the kernels build without any assembly, cpuid's included, except for
// Go's own packages; so does rank when the tag noasm tells gonum the same. Without the
// tags, the same question finds ours.
func TestPuregoHasNoAssembly(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil || runtime.GOOS == "js" {
		t.Skip("no go command to ask")
	}
	const kernels, rank = "github.com/simdrank/simdrank/kernels", "github.com/simdrank/simdrank/rank"
	for _, arch := range []string{"amd64", "arm64"} {
		for tags, pkg := range map[string]string{"purego": kernels, "purego,noasm": rank} {
			if with := assemblyIn(t, arch, tags, pkg); len(with) > 0 {
				t.Errorf("GOARCH=%s -tags %s %s: assembly in %v", arch, tags, pkg, with)
			}
		}
		with := assemblyIn(t, arch, "", kernels)
		if !slices.Contains(with, kernels) || arch == "amd64" && !slices.Contains(with, "github.com/klauspost/cpuid/v2") {
			t.Errorf("GOARCH=%s without tags: assembly only in %v: the test does not see it", arch, with)
		}
	}
}

// assemblyIn lists the packages outside the standard library that pkg depends on,
// itself included, and that hold assembly or C when they are built with the tags.
func assemblyIn(t *testing.T, arch, tags, pkg string) (with []string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,SFiles,CFiles", "-tags="+tags, pkg)
	cmd.Env = append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath     string
			Standard       bool
			SFiles, CFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			return with
		} else if err != nil {
			t.Fatal(err)
		}
		if !p.Standard && len(p.SFiles)+len(p.CFiles) > 0 {
			with = append(with, p.ImportPath)
		}
	}
}

// A fault inside a kernel unwinds through it to the caller: the stack that a panic or a profile
// shows is whole.
func TestUnwind(t *testing.T) {
	if !guard.Pages {
		t.Skip("no guard pages on this operating system")
	}
	good := make([]float64, 64)
	bad := guard.Copy(guard.New(t, 512), good, guard.Place{End: true})
	long := guard.Beyond(bad, 8) // 8 elements too many: the guard page faults
	calls := map[string]func(){
		"AxpyF64": func() { AxpyF64(1, long, make([]float64, len(long))) },
		"DotF64":  func() { DotF64(long, make([]float64, len(long))) },
	}
	suffixes := map[cpu.Tier]string{cpu.Generic: "Generic", cpu.AVX2: "AVX2", cpu.AVX512: "AVX512", cpu.NEON: "NEON"}
	for name, call := range calls {
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			stack := faultStack(call)
			restore()
			kernel := strings.ToLower(name[:1]) + name[1:] + suffixes[tier]
			for _, f := range []string{"kernels." + kernel, "kernels." + name, "kernels.TestUnwind"} {
				if !strings.Contains(stack, f) {
					t.Errorf("%v: %s is missing from the stack of a fault:\n%s", tier, f, stack)
				}
			}
		}
	}
}

// A stop of all goroutines, which a collection needs, waits for one call of assembly, not for a loop of calls that the
// compiler has inlined, nor for a long call: else those in a loop wait for thousands of calls.
func TestStopsBetweenCalls(t *testing.T) {
	if runtime.GOOS == "js" || guard.Race {
		t.Skip("one thread, or notes for the race detector, which take long")
	}
	const rows, cols = 64, 1024
	x, y, f, g := make([]float64, rows*cols), make([]float64, rows*cols), make([]float32, rows*cols), make([]float32, rows*cols)
	long, longF := make([]float64, 64*blockLen), make([]float32, 64*blockLen)
	var calls atomic.Int64
	var stop atomic.Bool
	more := func() bool { calls.Add(1); return !stop.Load() }
	// Each kernel has a loop of its own: a call of a variable would stop at its own beginning.
	for _, c := range []struct {
		name string
		most int64 // calls that one of the stops may wait for: others wait until the system runs this test
		loop func()
	}{
		{"DotF64", 20, func() {
			for more() {
				DotF64(x, y)
			}
		}},
		{"DotF32", 20, func() {
			for more() {
				DotF32(f, g)
			}
		}},
		{"DotF32Wide", 20, func() {
			for more() {
				DotF32Wide(f, g)
			}
		}},
		{"GemvF64", 20, func() {
			for more() {
				GemvF64(y[:rows], x, rows, cols, cols, y[rows:][:cols])
			}
		}},
		{"GemvF32", 20, func() {
			for more() {
				GemvF32(f[:rows], g, rows, cols, cols, f[rows:][:cols])
			}
		}},
		{"GemvF32Wide", 20, func() {
			for more() {
				GemvF32Wide(y[:rows], g, rows, cols, cols, y[rows:][:cols])
			}
		}},
		{"GemvTF64", 20, func() {
			for more() {
				GemvTF64(y[:cols], x, rows, cols, cols, y[cols:][:rows])
			}
		}},
		{"GemvTF32", 20, func() {
			for more() {
				GemvTF32(f[:cols], g, rows, cols, cols, f[cols:][:rows])
			}
		}},
		{"GemvTF32Wide", 20, func() {
			for more() {
				GemvTF32Wide(y[:cols], g, rows, cols, cols, y[cols:][:rows])
			}
		}},
		{"long DotF64", 0, func() {
			for more() {
				DotF64(long, long)
			}
		}},
		{"long DotF32", 0, func() {
			for more() {
				DotF32(longF, longF)
			}
		}},
		{"long DotF32Wide", 0, func() {
			for more() {
				DotF32Wide(longF, longF)
			}
		}},
		{"long AxpyF64", 0, func() {
			for more() {
				AxpyF64(1, long, long)
			}
		}},
		{"long AxpyF32", 0, func() {
			for more() {
				AxpyF32(1, longF, longF)
			}
		}},
		{"long AxpyDiffF64", 0, func() {
			for more() {
				AxpyDiffF64(1, long, long, long)
			}
		}},
		{"long AxpyDiffF32", 0, func() {
			for more() {
				AxpyDiffF32(1, longF, longF, longF)
			}
		}},
	} {
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			stop.Store(false)
			done := make(chan bool)
			go func() { c.loop(); done <- true }()
			var waited []int64
			for len(waited) < 30 && (len(waited) == 0 || slices.Min(waited) > c.most) {
				time.Sleep(time.Millisecond)
				var m runtime.MemStats
				before := calls.Load()
				runtime.ReadMemStats(&m) // stops all
				waited = append(waited, calls.Load()-before)
			}
			stop.Store(true)
			<-done
			restore()
			if slices.Min(waited) > c.most {
				t.Errorf("%v: %s: stops waited for %v calls", tier, c.name, waited)
			}
		}
	}
}

// faultStack returns the functions on the stack, a line each, when call touches memory that it
// must not; "" when it does not.
func faultStack(call func()) (stack string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			return
		}
		pcs := make([]uintptr, 50)
		it := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
		for f, more := it.Next(); more; f, more = it.Next() {
			stack += f.Function + "\n"
		}
	}()
	call()
	return ""
}
