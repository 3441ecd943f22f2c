# cmake -DOUTPUT=FILE.cc -DNAMES=a;b -DFILES_a=.. -DFILES_b=.. -P embed.cmake
# Writes a C++ file that defines opcov::assets::NAME as the text of its files, one behind the other.
set(_source "// Made by embed.cmake.\n#include \"page/assets.h\"\n\nnamespace opcov::assets {\n")
foreach(_name IN LISTS NAMES)
  # As variables: what is in them is not looked at again.
  set(_text "")
  foreach(_file IN LISTS FILES_${_name})
    file(READ "${_file}" _content)
    string(APPEND _text "R\"opcov_asset(${_content})opcov_asset\"\n")
  endforeach()
  string(APPEND _source "\nextern const std::string_view ${_name} =\n${_text};\n")
endforeach()
string(APPEND _source "\n}  // namespace opcov::assets\n")
file(WRITE "${OUTPUT}" "${_source}")
