# What the executable writes about itself: the manual page and completion scripts, installed where shells and man look.
set(_opcov_written "")
function(_opcov_written_by_itself arguments file folder)
  set(_path ${CMAKE_BINARY_DIR}/share/${file})
  add_custom_command(OUTPUT ${_path} COMMAND opcov_cli ${arguments} > ${_path} DEPENDS opcov_cli VERBATIM)
  set(_opcov_written ${_opcov_written} ${_path} PARENT_SCOPE)
  install(FILES ${_path} DESTINATION ${folder})
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share)
_opcov_written_by_itself("man" opcov.1 ${CMAKE_INSTALL_MANDIR}/man1)
_opcov_written_by_itself("completion;bash" opcov ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
_opcov_written_by_itself("completion;zsh" _opcov ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
add_custom_target(opcov_manual ALL DEPENDS ${_opcov_written})
