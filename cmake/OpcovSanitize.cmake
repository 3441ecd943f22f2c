# Sanitizers for our own code; what it links (torch above all) stays as it was installed. scripts/sanitizers.sh builds
# with them and runs the tests.
#
#   OPCOV_SANITIZE  what -fsanitize= takes: "thread", or "address,undefined"

set(OPCOV_SANITIZE "" CACHE STRING "Sanitizers for our own code, as -fsanitize= takes them")
if(OPCOV_SANITIZE)
  # The first finding of UBSan ends the program, as one of the others does. -O1 keeps stacks whole.
  add_compile_options(-fsanitize=${OPCOV_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g)
  add_link_options(-fsanitize=${OPCOV_SANITIZE})
  if(OPCOV_SANITIZE STREQUAL "thread")
    add_library(opcov_clocklock STATIC tests/sanitizers/clocklock.cc)
    link_libraries($<BUILD_INTERFACE:opcov_clocklock>)  # no part of what is installed
  endif()
endif()
