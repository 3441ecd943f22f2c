#!/usr/bin/env bash
# Brings the machine up to date, then configures and builds into build/.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

scripts/debian_packages.sh
scripts/venv.sh
nvcc=$(scripts/find_nvcc.sh)
if [[ -n $nvcc ]]; then
  cuda=(-DOPCOV_CUDA=ON -DCMAKE_CUDA_COMPILER="$nvcc")
else
  cuda=(-DOPCOV_CUDA=OFF)
fi

# Ninja configures again by itself where a CMake file changes; we do where the choice of options does.
choice="$VENV ${cuda[*]}"
if [[ ! -f $BUILD/build.ninja || $(cat "$BUILD/.choice" 2>/dev/null) != "$choice" ]]; then
  say "Configuring build/ (${nvcc:-no nvcc})"
  cmake -S . -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPCOV_PYTHON="$VENV/bin/python" "${cuda[@]}"
  printf '%s\n' "$choice" >"$BUILD/.choice"
fi
say "Building (the first time takes some minutes: files that include torch are slow to compile)"
cmake --build "$BUILD" -j "$JOBS"

# A line in a .pth file puts build/python on the environment's path: `import opcov` and OPCOV=1 work there.
site=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
printf '%s\n' "$BUILD/python" >"$site/opcov-build.pth"
ln -sfn "$BUILD/bin/opcov" "$VENV/bin/opcov"
say "Ready: build/bin/opcov, and opcov in .venv"
