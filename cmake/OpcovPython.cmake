# The build tree as an installed Python package.
#
# ${CMAKE_BINARY_DIR}/python is laid out as the wheel is: opcov/*.py, opcov/lib/libopcov.so, opcov/bin/opcov, the
# modules beside it, and a dist-info folder with the entry points. With it on sys.path `import opcov` and OPCOV=1 behave
# as after `pip install`, so the Python sources know one layout only. Sources are linked, not copied: an edit counts
# at once.
set(_opcov_python_dir ${CMAKE_BINARY_DIR}/python)
file(GLOB _opcov_python_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python_shim
     ${PROJECT_SOURCE_DIR}/python_shim/*.py ${PROJECT_SOURCE_DIR}/python_shim/opcov/*.py
     ${PROJECT_SOURCE_DIR}/python_shim/opcov/py.typed)
file(REMOVE_RECURSE ${_opcov_python_dir})
file(MAKE_DIRECTORY ${_opcov_python_dir}/opcov)
foreach(_source ${_opcov_python_sources})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python_shim/${_source} ${_opcov_python_dir}/${_source} SYMBOLIC)
endforeach()
file(CREATE_LINK ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} ${_opcov_python_dir}/opcov/lib SYMBOLIC)
file(CREATE_LINK ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${_opcov_python_dir}/opcov/bin SYMBOLIC)

set(_opcov_dist_info ${_opcov_python_dir}/opcov-${PROJECT_VERSION}.dist-info)
file(WRITE ${_opcov_dist_info}/METADATA "Metadata-Version: 2.1\nName: opcov\nVersion: ${PROJECT_VERSION}\n")
file(WRITE ${_opcov_dist_info}/entry_points.txt
     "[console_scripts]\nopcov = opcov_command:main\n\n[torch.backends]\nopcov = opcov_autoload:autoload\n")

# The package compares this with the torch it finds, before the dynamic loader would fail on a mangled name.
set(OPCOV_BUILD_INFO ${_opcov_python_dir}/opcov/_build_info.py)
file(WRITE ${OPCOV_BUILD_INFO} "TORCH_VERSION = \"${OPCOV_TORCH_VERSION}\"\n")
