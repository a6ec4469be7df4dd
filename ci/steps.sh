# The steps of .ci/run, which sources this file: a table, and one function for each kind of step. Every
# function runs in a subshell under `set -euo pipefail` at the root of the project, and writes files
# only to $scratch. Lists of packages are assigned to a variable first, because the shell ignores the
# failure of a command inside an argument.

# The exit status of a step that this machine cannot run: there is no emulator for the processor, or
# there are no datasets.
LACKING=77

# LOOPS lists the packages with inner loops of sums and products, which another processor could compute
# differently. BITS matches the names of the tests that compare their results with committed bits.
LOOPS='./kernels ./vectors ./internal/num ./internal/order ./internal/trees ./rank ./rank/compare
	./rank/explain ./rank/fusion ./rank/lambdamart ./rank/pairwise'
BITS='^Test.*(Golden|Bits|Mpmath|Integers|Pinned)'

# Each line is name|command. The first word of a name is its kind. Steps start in this order. Long steps
# come first. Steps for the same platform are apart, because steps that run at the same time cannot
# share compiled packages.
STEPS=(
	'gofmt|format'
	'modules|modules'
	'release|release'
	'x86 Nehalem|x86 Nehalem generic'
	'arch s390x|big_endian'
	'arch ppc64le|bits ppc64le ppc64le'
	'arch wasm|wasm'
	'race|race'
	'arch arm64 neon|arch arm64 aarch64 neon ./...'
	'x86 Haswell|x86 Haswell avx2'
	'arch riscv64|bits riscv64 riscv64'
	'arch loong64|bits loong64 loongarch64'
	'arch arm64 generic|bits arm64 aarch64'
	'arch 386|narrow'
	'windows|windows'
	'go 1.26|toolchain go1.26.0 ./kernels ./vectors ./internal/cpu ./internal/num ./rank ./rank/lambdamart'
	'go 1.27|toolchain go1.27.4 ./kernels ./vectors ./nearest/... ./internal/... ./rank/...'
	'mutate|mutants'
	'fuzz|fuzz 600'
	'test|readme_test'
	'purego|purego'
	'beam|beam_processes'
	'tier generic|tier generic'
	'tier avx2|tier avx2'
	'tier avx512|no_avx512'
	'staticcheck|static_check'
	'vulnerabilities|vulnerabilities'
	'lint|lint'
	'fused|fused'
	'vet linux/amd64|vet linux amd64 portable'
	'vet linux/arm64|vet linux arm64 portable'
	'vet linux/386|vet linux 386 portable'
	'vet linux/s390x|vet linux s390x portable'
	'vet alike|vet_alike'
	'vet js/wasm|vet js wasm ./...'
	'vet darwin/arm64|vet darwin arm64 portable'
	'vet windows/amd64|vet windows amd64 portable'
	'binaries|binaries'
	'workflows|workflows'
	'mca|mca'
	'browser|browser'
)

# WINE runs the test programs of the step windows. Debian's package does not put it into PATH.
WINE=/usr/lib/wine/wine64

# BEST is the default tier of this processor, and the step test asserts that it ran. If it is not
# avx512, a step for avx512 reports that this tier did not run.
BEST=avx2
if grep -qsw avx512bw /proc/cpuinfo; then
	BEST=avx512
	for i in "${!STEPS[@]}"; do [ "${STEPS[i]%%|*}" != 'tier avx512' ] || unset "STEPS[i]"; done
fi

# Without datasets, the step test skips the tests with real data, and this step reports it.
[ -n "$SIMDRANK_DATA" ] || STEPS+=('real data|no_data')

no_data() {
	echo "NOTE: SIMDRANK_DATA is empty: the tests with real data are NOT RUN"
	exit "$LACKING"
}

# PORTABLE lists the packages of every module except beam. Apache Beam takes as long to compile as all
# other code, and the module contains no code that depends on a system or a processor. The steps test
# and staticcheck check it natively.
PORTABLE='./... ./cmd/simdrank/... ./parquet/... ./examples/...'

# FAST lists the steps of .ci/run fast. purego, fused and vet linux/arm64 would add more than half of
# its time, so only the full run includes them. staticcheck still type-checks the files that differ on
# arm64 and with -tags purego.
FAST=(test gofmt modules lint staticcheck 'vet linux/amd64')

# setup runs before all steps. It installs the tools that they need, and prints the versions that it
# found. Only Go must already be installed.
setup() {
	go version
	local missing=()
	command -v gcc >/dev/null || missing+=(gcc libc6-dev)          # go test -race
	command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
	command -v aarch64-linux-gnu-as >/dev/null || missing+=(binutils-aarch64-linux-gnu) # ci/lint
	command -v llvm-mca-19 >/dev/null || missing+=(llvm-19) # ci/mca
	command -v chromium >/dev/null || missing+=(chromium) # ci/browser
	[ -x $WINE ] || missing+=(wine64)
	if [ ${#missing[@]} -gt 0 ]; then
		echo "installing ${missing[*]}"
		local sudo=
		[ "$(id -u)" = 0 ] || sudo=sudo
		$sudo apt-get update -qq
		DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"
	fi
	go env GOOS GOARCH GOVERSION | paste -sd' '
	grep -m1 'model name' /proc/cpuinfo || true
	nproc
	[ -z "$SIMDRANK_DATA" ] || [ -d "$SIMDRANK_DATA" ] || {
		echo "no datasets in $SIMDRANK_DATA: set SIMDRANK_DATA to their folder" && exit 1
	}
	go list -deps -test work >/dev/null # downloads only the required modules
}

# tool builds a program that ci/tools/go.mod pins into $scratch/bin.
tool() {
	mkdir -p "$scratch/bin"
	(cd ci/tools && GOWORK=off GOFLAGS= go build -o "$scratch/bin/" "$1")
}

# readme_test runs the test command from the README; .ci/run fast adds -short. It asserts that it runs
# on the best tier.
readme_test() {
	grep -q 'go test work' README.md || { echo "README.md must contain the command: go test work" && exit 1; }
	echo "tier $BEST"
	SIMDRANK_CPU_REQUIRE=$BEST go test -count=1 $short work 2>&1 | { grep -v 'no test files' || true; }
	go vet ./beam/...
}

# beam_processes runs a pipeline on Prism in a separate process, reached over its endpoint, with the
# workers in a third process. The step test also runs it, but only this step asserts that it ran.
beam_processes() {
	go test -count=1 -vet=off -v -run '^TestProcesses$' ./beam/cmd/simdrank-beam | tee "$scratch/processes"
	grep -q '^--- PASS: TestProcesses ' "$scratch/processes" || { echo "no pipeline ran in processes of its own" && exit 1; }
}

format() {
	local files
	files=$(gofmt -l .)
	[ -z "$files" ] || { echo "not formatted: gofmt -w" $files && exit 1; }
}

# release stages every module of the last commit as a module proxy would serve it, and installs and
# imports them as users do.
release() {
	(cd ci/tools && GOWORK=off GOFLAGS= go test -count=1 ./release)
	ci/release -dry-run
}

# modules checks that every go.mod is tidy, that its sums verify, and that the library requires no
# more than it promises.
modules() {
	go mod verify
	GOWORK=off go mod tidy -diff
	(cd ci/tools && GOWORK=off go mod tidy -diff)
	local nested
	for nested in beam cmd/simdrank examples parquet; do tidy_nested "$nested"; done
	local want='github.com/klauspost/cpuid/v2 golang.org/x/sys gonum.org/v1/gonum' have
	have=$(GOWORK=off go list -m -f '{{if not (or .Main .Indirect)}}{{.Path}}{{end}}' all | paste -sd' ')
	[ "$have" = "$want" ] || { echo "the library requires: $have; expected: $want" && exit 1; }
}

# tidy_nested checks that the go.mod of a nested module is tidy with the library from this tree instead
# of the release that it requires.
tidy_nested() {
	mkdir -p "$scratch/tidy"
	cp "$1/go.mod" "$1/go.sum" "$scratch/tidy/"
	local library=github.com/simdrank/simdrank
	go mod edit -replace "$library=$PWD" -replace "$library/parquet=$PWD/parquet" "$scratch/tidy/go.mod"
	(cd "$1" && GOWORK=off go mod tidy -diff -modfile="$scratch/tidy/go.mod")
}

# The step test checks that lint and fused find problems.
lint() { go run ./ci/lint; }

fused() { go run ./ci/fused; }

mca() { go run ./ci/mca; }

# static_check checks every package on linux/amd64. With -tags purego and on arm64, it checks the
# packages with different files. In packages with assembly, it does not report unused functions on
# amd64, because assembly may jump to them. The other two checks report them.
static_check() {
	tool honnef.co/go/tools/cmd/staticcheck
	local assembly rest purego arm64
	sources() { go list "$@" -f '{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' $PORTABLE | sort; }
	changed() { comm -13 "$scratch/sources" - | cut -d' ' -f1 | grep .; }
	sources >"$scratch/sources"
	assembly=$(go list -f '{{if .SFiles}}{{.ImportPath}}{{end}}' $PORTABLE)
	rest=$(go list $PORTABLE | grep -vxF "$assembly")
	purego=$(sources -tags purego | changed)
	arm64=$(GOARCH=arm64 sources | changed)
	echo "linux/amd64" && "$scratch/bin/staticcheck" $rest
	"$scratch/bin/staticcheck" -checks inherit,-U1000 $assembly
	echo "linux/amd64 purego:" $purego && "$scratch/bin/staticcheck" -tags purego $purego
	echo "linux/arm64:" $arm64 && GOARCH=arm64 "$scratch/bin/staticcheck" $arm64
	echo "beam" && "$scratch/bin/staticcheck" ./beam/...
}

# VULNDB is the Go vulnerability database that the step vulnerabilities reads.
VULNDB=golang.org/x/vulndb@v0.0.0-20261105234957-e22db6528018

# vulnerabilities fails if a module that our packages depend on has a known vulnerability. It does
# not matter whether the vulnerable code is called, because an update fixes it. Each module is
# scanned in a workspace of its own: in go.work, another module may require a newer version. The
# vulnerabilities of Go itself depend on the installed version, so they are only counted. To test
# the scan, the step first scans an old version of a module with known vulnerabilities.
vulnerabilities() {
	tool golang.org/x/vuln/cmd/govulncheck
	local dir module bad=0
	dir=$(cd "$scratch" && GOWORK=off go mod download -json "$VULNDB" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
	vulnerable() {
		local status=0
		(cd "$1" && "$scratch/bin/govulncheck" -db "file://$dir/data/osv" -scan package -show verbose ./...) \
			>"$scratch/scan" || status=$?
		if [ "$status" != 0 ] && [ "$status" != 3 ]; then cat "$scratch/scan" >&2 && exit 1; fi
		grep -B4 -A2 '^  Module: ' "$scratch/scan"
	}

	mkdir "$scratch/old"
	(
		cd "$scratch/old" && export GOWORK=off
		echo 'package old; import _ "github.com/klauspost/compress"' >old.go
		go mod init old && go get github.com/klauspost/compress@v1.17.9
	)
	GOWORK=off vulnerable "$scratch/old" >"$scratch/known" || true
	grep -q GO-2026-5841 "$scratch/known" || { echo "the scan does not find GO-2026-5841 in compress v1.17.9" && exit 1; }

	for module in . parquet cmd/simdrank beam; do
		sed -e '/^use/,/^)/d' -e "s|=> \./|=> $PWD/|" go.work >"$scratch/go.work"
		echo "use $(realpath "$module")" >>"$scratch/go.work"
		echo "module $module"
		if GOWORK=$scratch/go.work vulnerable "$module"; then bad=1; fi
	done
	echo "NOTE: $(go env GOVERSION) itself has $(grep -c '^  Standard library' "$scratch/scan")" \
		"known vulnerabilities; update Go before a release"
	[ "$bad" = 0 ]
}

# vet also builds the packages, because go vet does not assemble. The dependencies of the nested modules
# take most of the time. These modules are vetted once for each system and each word size, because
# their files are the same on all Linux architectures. With -tags purego, the files are the same on
# amd64 and arm64. One program is linked, because linking the others is the same.
vet() {
	export GOOS=$1 GOARCH=$2 CGO_ENABLED=0
	local packages=$3 program=./bench/peers/quality
	[ "$3" != portable ] || packages=$PORTABLE program=./cmd/simdrank
	go vet $packages
	[ "$1/$2" != linux/amd64 ] || go vet -tags purego $packages
	go build -ldflags='-s -w' -o /dev/null $program
	local libraries
	libraries=$(go list -f '{{if and .GoFiles (ne .Name "main")}}{{.ImportPath}}{{end}}' $packages)
	go build $libraries
}

# vet_alike checks that other platforms need no separate step. riscv64, ppc64le and loong64 must compile
# the same files as s390x. The files that macOS and Windows add or omit compared with Linux must be
# the same on amd64 and arm64.
vet_alike() {
	local list processor system
	list='{{$p := .ImportPath}}{{range .GoFiles}}{{$p}}/{{.}}{{"\n"}}{{end}}{{range .SFiles}}{{$p}}/{{.}}{{"\n"}}{{end}}'
	list+='{{range .TestGoFiles}}{{$p}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$p}}/{{.}}{{"\n"}}{{end}}'
	sources() { GOOS=$1 GOARCH=$2 go list -f "$list" $PORTABLE | sort >"$scratch/$1 $2"; }
	changed() { comm -3 "$scratch/linux $2" "$scratch/$1 $2" >"$scratch/changed $2"; }
	for processor in s390x riscv64 ppc64le loong64; do
		sources linux $processor
		diff "$scratch/linux s390x" "$scratch/linux $processor"
	done
	for processor in amd64 arm64; do sources linux $processor; done
	for system in darwin windows; do
		for processor in amd64 arm64; do sources $system $processor && changed $system $processor; done
		diff "$scratch/changed amd64" "$scratch/changed arm64"
	done
}

# suite runs tests with the given flags and packages of go test. The vet steps have vetted them. With
# -short and under the race detector (guard.Race), tests skip slow cases, such as large inputs. Under
# the race detector, they also skip code that runs on one goroutine. The step test runs all cases.
suite() { go test -count=1 -vet=off -timeout=30m "$@" 2>&1 | { grep -v 'no test files' || true; }; }

# race skips packages and tests without goroutines: tools, examples other than the service, and
# tests of single kernels. It also skips tests that measure memory, and tests that change data during
# training, which is a race.
race() {
	export CGO_ENABLED=1
	local packages
	packages=$(processors | grep -v '/cmd/')
	suite -race -short -skip "$EVERYWHERE|^Test(SortKeysHardLists|GemvLongRows|FMAF32|Hostile(File|Checkpoint)?|Wide|Changed)\$" \
		$packages ./cmd/simdrank ./examples/service
}

# purego runs the packages with assembly without it, and $BITS of the other $LOOPS. The step tier
# generic runs the same Go code in all packages.
purego() {
	export SIMDRANK_CPU=generic SIMDRANK_CPU_REQUIRE=generic
	local assembly
	assembly=$(assembled)
	suite -short -tags purego ./internal/cpu $assembly
	LOOPS=$(go list $LOOPS | grep -vxF "$assembly")
	committed -tags purego
}

# processors lists the packages in PORTABLE, or in the given patterns, with tests for other processors.
# It omits tools, which run only on developer machines, and examples, which only call the library.
processors() { go list ${@:-$PORTABLE} | grep -vE '/simdrank/(bench|ci|examples)(/|$)'; }

# tiered lists the packages in the given patterns that can depend on the tier, because they import
# internal/cpu directly or indirectly.
tiered() {
	local packages
	packages=$(processors "$@")
	go list -test -f '{{if eq .Name "main"}}{{.ImportPath}} {{.Deps}}{{end}}' $packages |
		sed -nE 's|^(\S+)\.test .*\bsimdrank/internal/cpu\b.*|\1|p'
}

# assembled lists the packages of the library with assembly.
assembled() { go list -f '{{if .SFiles}}{{.ImportPath}}{{end}}' ./...; }

# EVERYWHERE matches tests of all kernels that force every tier in turn, for any value of SIMDRANK_CPU.
# The step test runs them, so the tier steps skip them.
EVERYWHERE='^(Test(Table(Cases|Places|Allocations)?|Golden|Cores)|FuzzArguments)$'

# tier runs the suite natively on one tier, and a test asserts that the tier runs. It skips tests that
# the step test runs on every tier. The longest tests of the command repeat training tests of rank.
tier() {
	export SIMDRANK_CPU=$1 SIMDRANK_CPU_REQUIRE=$1
	local packages
	packages=$(tiered ./...)
	suite -skip "$EVERYWHERE" $packages
	packages=$(tiered ./parquet/...)
	suite $packages
	suite -short ./cmd/simdrank
}

no_avx512() {
	echo "NOTE: this processor has no AVX-512 and no emulator here has it: the avx512 tier is NOT TESTED by this run"
	exit "$LACKING"
}

# x86 MODEL TIER runs the tests of assembly and of internal/cpu on an older processor. The processor
# must select the tier and support each instruction. Other packages run natively on that tier. QEMU
# reads the masked-off lanes of VMASKMOV, which processors do not. Tests with guard pages
# (TestTablePlaces, TestGemvPlaces, TestCores and FuzzArguments) therefore run only natively.
x86() {
	local assembly
	assembly=$(assembled)
	SIMDRANK_CPU_REQUIRE=$2 suite -short -skip '^(Test((Table|Gemv)Places|Cores)|FuzzArguments)$' \
		-exec "qemu-x86_64-static -cpu $1" ./internal/cpu $assembly
}

# arch GOARCH EMULATOR TIER [PACKAGES] runs the suite on another architecture. The tests of the command
# run on amd64 and 386.
arch() {
	export GOARCH=$1 CGO_ENABLED=0
	local run=() packages
	[ "$2" = none ] || run=(-exec "qemu-$2-static")
	packages=$(processors "${@:4}")
	SIMDRANK_CPU=$3 SIMDRANK_CPU_REQUIRE=$3 suite -short "${run[@]}" $packages
}

# big_endian runs the packages whose code depends on the byte order, because they import unsafe or
# encoding/binary, and the readers of data. In the other packages of $LOOPS it runs $BITS.
big_endian() {
	export GOARCH=s390x CGO_ENABLED=0 SIMDRANK_CPU=generic SIMDRANK_CPU_REQUIRE=generic
	local imports packages
	imports=$(go list -f '{{.ImportPath}} {{.Imports}}' ./... ./parquet/... | grep -E '[[ ](unsafe|encoding/binary)[] ]' | cut -d' ' -f1)
	packages=$(processors $imports ./rank/data)
	suite -short -exec qemu-s390x-static $packages
	LOOPS=$(go list $LOOPS | grep -vxF "$packages")
	committed -exec qemu-s390x-static
}

# bits GOARCH EMULATOR runs $BITS of $LOOPS on the tier generic of another architecture. Only results
# must be tested there, because the architecture compiles the same files as s390x (vet_alike), and the
# step fused finds fused operations. The step fails if a package runs no test.
bits() {
	export GOARCH=$1 CGO_ENABLED=0 SIMDRANK_CPU=generic SIMDRANK_CPU_REQUIRE=generic
	committed -exec "qemu-$2-static"
}

committed() {
	suite -short -run "$BITS" "$@" $LOOPS | tee "$scratch/bits"
	if grep -q 'no tests to run' "$scratch/bits"; then echo "a package above has no test that matches BITS" && exit 1; fi
}

# narrow runs the suite with 32-bit integers on 386. If the kernel cannot run 386 programs, it uses
# 32-bit Arm under QEMU, because Go programs for 386 crash under QEMU.
narrow() {
	echo 'package main; func main() {}' >"$scratch/narrow.go"
	GOARCH=386 CGO_ENABLED=0 go build -o "$scratch/narrow" "$scratch/narrow.go"
	if "$scratch/narrow"; then
		arch 386 none generic
	else
		echo "NOTE: this kernel cannot run 386 programs; testing 32-bit Arm under QEMU instead"
		arch arm arm generic
	fi
}

# toolchain VERSION PACKAGES runs tests with another Go version, which the module proxy provides. The go
# command refuses a version that is older than the go directive of a go.mod.
toolchain() {
	export GOTOOLCHAIN=$1 SIMDRANK_CPU_REQUIRE=$BEST
	go version
	suite -short "${@:2}"
}

# windows runs the tests of packages with inner loops or files as Windows programs under Wine. Wine 8
# lacks two functions that Go's standard library calls. An overlay of its source selects the functions
# of older versions of Windows: RtlGenRandom, which advapi32.dll exports as SystemFunction036, and the
# fallback of os.RemoveAll. The skipped test needs symbolic links, which Wine 8 does not support.
windows() {
	export GOOS=windows GOARCH=amd64 CGO_ENABLED=0 WINEPREFIX=$scratch/wine WINEDEBUG=-all SIMDRANK_CPU_REQUIRE=$BEST
	local root file replaced='' dll="'a', 'd', 'v', 'a', 'p', 'i', '3', '2', '.', 'd', 'l', 'l', 0"
	root=$(go env GOROOT)/src
	for file in runtime/os internal/syscall/windows/zsyscall internal/syscall/windows/at; do
		sed -e "s/bcryptprimitivesdll = .*/bcryptprimitivesdll = [...]uint16{$dll}/" \
			-e 's/"bcryptprimitives.dll"/"advapi32.dll"/' -e 's/"ProcessPrng/"SystemFunction036/' \
			-e 's/TestDeleteatFallback bool/TestDeleteatFallback = true/' \
			"$root/${file}_windows.go" >"$scratch/${file##*/}_windows.go"
		replaced+=",\"$root/${file}_windows.go\":\"$scratch/${file##*/}_windows.go\""
	done
	echo "{\"Replace\":{${replaced#,}}}" >"$scratch/overlay.json"
	suite -short -overlay="$scratch/overlay.json" -exec "$WINE" -skip '^TestSaveLinkWithoutTarget$' \
		$LOOPS ./internal/cpu ./internal/files ./internal/memory ./internal/parallel ./nearest/vectorfile \
		./rank/data ./rank/datafile ./rank/model
}

# wasm runs $BITS and the tests of packages that read files under wazero, and builds the command.
# ci/tools pins the version of wazero. Other packages only call these, and compiling them with wazero
# takes longer than their tests. wazero caches compiled code in $TMPDIR. The cache is deleted after
# each run, because ten runs would use 8 GB.
wasm() {
	tool github.com/tetratelabs/wazero/cmd/wazero
	export GOOS=wasip1 GOARCH=wasm PATH=$scratch/bin:$PATH GOWASIRUNTIME=wazero SIMDRANK_CPU_REQUIRE=generic
	local run
	run=$(go env GOROOT)/lib/wasm/go_wasip1_wasm_exec
	TMPDIR=$scratch committed -exec "$run"
	TMPDIR=$scratch suite -short -exec "$run" ./internal/files ./rank/data ./rank/datafile ./rank/model
	go build -o "$scratch/simdrank.wasm" ./cmd/simdrank
}

# binaries builds the command with the flags in .goreleaser.yaml. If the binary does not contain the name
# of a folder, other machines build the same bytes. CI does not run goreleaser, because compiling it
# takes longer than compiling everything that it builds.
binaries() {
	local flags ldflags folder program=$scratch/binaries/simdrank
	flags=$(sed -nE 's/^ +flags: \[(.*)\].*/\1/p' .goreleaser.yaml | tr -d ,)
	ldflags=$(sed -nE 's/^ +ldflags: \[(.*)\].*/\1/p' .goreleaser.yaml)
	[[ $flags = *-trimpath* && $ldflags = *-buildid=* ]]
	CGO_ENABLED=0 go build -C cmd/simdrank $flags -ldflags="$ldflags" -o "$program" .
	for folder in "$PWD" "$(go env GOROOT)" "$(go env GOMODCACHE)" "$(go env GOCACHE)"; do
		if grep -aqF -- "$folder" "$program"; then echo "the binary contains $folder" && exit 1; fi
	done
	"$program" --version
	"$program" demo >/dev/null
}

# workflows checks .github/workflows, and that every action is pinned to a commit. actionlint does not
# run shellcheck and pyflakes, because their versions are not pinned.
workflows() {
	tool github.com/rhysd/actionlint/cmd/actionlint
	"$scratch/bin/actionlint" -shellcheck= -pyflakes=
	if grep -rnE '\buses:' .github/workflows | grep -vE '@[0-9a-f]{40} # v[0-9.]+$'; then
		echo 'the actions above are not pinned: owner/name@COMMIT # vVERSION' && exit 1
	fi
}

# browser opens a report about each kind of model, a report about two models with a script as a feature
# name, and the figures of the tutorials.
browser() {
	local pages=$scratch/pages
	go build -o "$scratch/simdrank" ./cmd/simdrank
	mkdir "$pages"
	(
		cd "$pages"
		simdrank() { "$scratch/simdrank" "$@" >/dev/null; }
		simdrank demo --write .
		seq 46 | sed '1s|.*|<script>alert(1)</script>|' >names
		simdrank train -d train.txt --valid test.txt --feature-names names --c-path 0.001,0.01 -o svm.json --report svm.html
		simdrank train -d train.txt --model ridge -o ridge.json --report ridge.html
		simdrank train -d train.txt --valid test.txt --model lambdamart --trees 30 -o trees.json --report trees.html
		simdrank report -m ridge.json -m trees.json -d test.txt --feature-names names -o two.html
		simdrank plot queries -m ridge.json -m trees.json -d test.txt -o queries.svg
	)
	{
		echo '<!DOCTYPE html><meta charset="utf-8"><style>svg { max-width: 100%; height: auto }</style><h1>Tutorials</h1>'
		cat docs/tutorials/*/*.svg
	} >"$pages/tutorials.html"
	ci/browser "$pages"/*.html
}

# mutants runs a small sample of mutants, which changes with the commit, so that over time it covers all
# code. docs/contributing/mutation-testing.md shows how to run more. In larger samples, tests catch
# about 90%. In a small sample, several mutants may survive by chance, so -min is lower.
mutants() {
	local commit
	commit=$(git rev-parse HEAD)
	go build -o "$scratch/mutate" ./ci/mutate
	local seed=$((16#${commit:0:8})) tiers=avx2,neon bad=0
	if [ $BEST = avx512 ]; then tiers+=,avx512; fi
	sample() {
		echo "go run ./ci/mutate -seed $seed $*"
		"$scratch/mutate" -seed "$seed" "$@" || bad=1
	}
	sample -n 6 -min .5 -tier generic
	sample -n 4 -min .5 -tier "$tiers"
	[ "$bad" = 0 ]
}

# fuzz N runs every fuzz target for N inputs. It links a package's tests once for all of its targets. It
# limits minimization, because minimizing an input of some kilobytes would take a minute.
fuzz() {
	local directories directory targets target out n=0 bad=()
	directories=$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u)
	for directory in $directories; do
		go test -vet=off -c -fuzz=. -o "$scratch/fuzz.test" "$directory"
		targets=$("$scratch/fuzz.test" -test.list '^Fuzz')
		for target in $targets; do
			n=$((n + 1))
			if out=$(cd "$directory" && "$scratch/fuzz.test" -test.run='^$' -test.fuzz="^$target\$" -test.fuzztime="$1x" \
				-test.fuzzminimizetime=100x -test.fuzzcachedir="$scratch/fuzz" -test.timeout=10m 2>&1); then
				echo "ok   $directory $target"
			else
				bad+=("$target")
				printf '%s\n' "$out" "FAIL $directory $target"
			fi
		done
	done
	echo "$n targets, $1 inputs each; failed: ${bad[*]-none}"
	[ "$n" -gt 0 ] && [ ${#bad[@]} = 0 ]
}
