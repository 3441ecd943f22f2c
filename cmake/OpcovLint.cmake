# clang-format and clang-tidy over our own files, as tests.
foreach(_tool clang-format clang-tidy-16)
  find_program(OPCOV_${_tool} ${_tool})
  if(NOT OPCOV_${_tool})
    message(WARNING "opcov: no ${_tool} here, so its test is left out; `make build` installs it")
  endif()
endforeach()

if(OPCOV_clang-format)
  add_test(NAME format COMMAND sh -c "scripts/own_sources.sh | xargs clang-format --dry-run -Werror"
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(format PROPERTIES LABELS quick)
endif()
if(OPCOV_clang-tidy-16)
  add_test(NAME tidy COMMAND ${PROJECT_SOURCE_DIR}/scripts/tidy.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(tidy PROPERTIES TIMEOUT 900 PROCESSORS 2)
endif()
