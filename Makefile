# Two commands matter: `make demo` and `make test`. Each brings what the machine lacks, says what it does, and takes
# seconds the second time. The steps are in scripts/.
.PHONY: help build demo test test-full test-compatibility bench format clean

help:
	@echo "make demo       record a small video diffusion model on four ranks and report on it"
	@echo "make test       build and run every test"
	@echo "make test-full  what takes longer: sanitizers, the whole operator database, 200 kills, long fuzzing"
	@echo "make test-compatibility  build and test against other versions of torch"
	@echo "make bench      what recording costs, beside the tools that people use today"
	@echo "make build      executables in build/bin, Python environment in .venv"
	@echo "make format     reformat our own C++ and CUDA files"
	@echo "make clean      remove build/ (.venv stays)"

build:
	@scripts/build.sh

demo: build
	@scripts/demo.sh

test: build
	@scripts/test.sh

bench: build
	@scripts/bench.sh

test-full: test
	@scripts/test_full.sh

test-compatibility: build
	@scripts/compatibility.sh

format:
	@scripts/own_sources.sh | xargs -r clang-format -i

clean:
	rm -rf build
