# One target that carries the flags of our own code. Warnings are errors here and nowhere else: what others wrote
# comes in through SYSTEM includes.
# -Wrestrict: g++ 12 warns falsely where a literal is put before a std::string (GCC bug 105651).
add_library(opcov_flags INTERFACE)
target_compile_options(opcov_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wno-restrict -Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra -Werror=all-warnings>)
target_include_directories(opcov_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/csrc
                                                 ${PROJECT_SOURCE_DIR})
target_compile_definitions(opcov_flags INTERFACE OPCOV_VERSION="${PROJECT_VERSION}")

include(OpcovSanitize)

find_program(OPCOV_CCACHE ccache)
if(OPCOV_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${OPCOV_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${OPCOV_CCACHE})
endif()
