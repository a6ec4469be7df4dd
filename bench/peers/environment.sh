# The scripts bench/peers/NAME/run source this file in the root of the repository. It creates the virtual
# environment of requirements.txt in a cache folder, unless it exists, and sets PEERS_PYTHON to its
# interpreter. The programs that a script starts use their own choice of kernels and one thread, unless
# the comparison passes another number.
requirements=bench/peers/requirements.txt
environment=${XDG_CACHE_HOME:-$HOME/.cache}/simdrank-peers/$(cat $requirements bench/peers/environment.sh | sha256sum | cut -c1-16)
export PEERS_PYTHON=$environment/bin/python
if ! [ -e "$environment/complete" ]; then
	for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 "$HOME"/.pyenv/versions/*/bin/python3}; do
		"$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && break
		python=
	done
	if [ -z "$python" ]; then
		echo "bench/peers requires Python 3.12 or newer (use PYTHON=PROGRAM to name it)" >&2
		exit 1
	fi
	"$python" -m venv --clear "$environment"
	"$PEERS_PYTHON" -m pip install -q --no-deps --only-binary :all: -r $requirements
	# lleaves requires an older version than ranx.
	"$PEERS_PYTHON" -m pip install -q --no-deps --only-binary :all: --target "$environment/lleaves" llvmlite==0.44.0
	touch "$environment/complete"
fi
# Some machines set these for old versions of OpenBLAS, which then use slower kernels.
unset ${!OPENBLAS_@} ${!GOTO_@} ${!OMP_@} ${!MKL_@} ${!NVPL_@} ${!BLIS_@}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 POLARS_MAX_THREADS=1 PYTHONPATH=bench/peers/internal/python
