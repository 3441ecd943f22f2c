# Imported targets for the LibTorch inside a Python torch package, or an unpacked LibTorch.
#
# Torch's own CMake package refuses to configure where there is no CUDA toolkit, even for a program that never names
# CUDA. The recorder needs the headers, libtorch, libtorch_cpu and libc10 only, so it names these itself, with and
# without CUDA alike.
#
#   OPCOV_TORCH_DIR  folder with include/ and lib/ (the package folder of torch)

if(NOT OPCOV_TORCH_DIR)
  if(SKBUILD AND NOT OPCOV_PYTHON)
    set(OPCOV_PYTHON ${Python_EXECUTABLE}) # the one that the wheel is built for
  endif()
  find_program(OPCOV_PYTHON NAMES python3 python HINTS ${PROJECT_SOURCE_DIR}/.venv/bin)
  execute_process(
    COMMAND ${OPCOV_PYTHON} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE _opcov_torch_dir OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE _opcov_torch_rc ERROR_QUIET)
  if(NOT _opcov_torch_rc EQUAL 0)
    message(FATAL_ERROR "opcov: no torch found for ${OPCOV_PYTHON}. Install torch==2.11.0 there or give "
                        "-DOPCOV_TORCH_DIR=<folder with include/ and lib/>; -DOPCOV_RECORDER=OFF builds the offline tool alone.")
  endif()
  set(OPCOV_TORCH_DIR ${_opcov_torch_dir} CACHE PATH "Folder with torch's include/ and lib/")
endif()

foreach(_lib torch torch_cpu c10)
  find_library(OPCOV_LIB_${_lib} ${_lib} PATHS ${OPCOV_TORCH_DIR}/lib NO_DEFAULT_PATH REQUIRED)
endforeach()
# Where the numbers stand: in torch 2.9 the second.
find_file(OPCOV_TORCH_VERSION_HEADER version.h REQUIRED NO_DEFAULT_PATH
          PATHS ${OPCOV_TORCH_DIR}/include/torch/headeronly ${OPCOV_TORCH_DIR}/include/torch/csrc/api/include/torch)
file(READ ${OPCOV_TORCH_VERSION_HEADER} _opcov_torch_version)
foreach(_part MAJOR MINOR PATCH)
  string(REGEX MATCH "TORCH_VERSION_${_part} ([0-9]+)" _ "${_opcov_torch_version}")
  set(_opcov_torch_${_part} ${CMAKE_MATCH_1})
endforeach()
set(OPCOV_TORCH_VERSION ${_opcov_torch_MAJOR}.${_opcov_torch_MINOR})
set(OPCOV_TORCH_RELEASE ${OPCOV_TORCH_VERSION}.${_opcov_torch_PATCH})
message(STATUS "opcov: torch ${OPCOV_TORCH_VERSION} at ${OPCOV_TORCH_DIR}")

add_library(opcov_torch_headers INTERFACE)
target_include_directories(opcov_torch_headers SYSTEM INTERFACE
  ${OPCOV_TORCH_DIR}/include ${OPCOV_TORCH_DIR}/include/torch/csrc/api/include)
add_library(opcov_torch INTERFACE)
target_link_libraries(opcov_torch INTERFACE opcov_torch_headers ${OPCOV_LIB_torch} ${OPCOV_LIB_torch_cpu} ${OPCOV_LIB_c10} Threads::Threads)
target_compile_definitions(opcov_torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO)
