#include "intercept/torch_names.h"

#include <c10/core/DeviceType.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/QScheme.h>
#include <c10/core/ScalarType.h>

#include <array>
#include <cctype>
#include <string>

namespace opcov {
namespace {

// Python names floats, integers and complex numbers by their width, and everything else as C++ does, in lower case.
std::string python_dtype(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Byte: return "uint8";
    case c10::ScalarType::Char: return "int8";
    case c10::ScalarType::Short: return "int16";
    case c10::ScalarType::Int: return "int32";
    case c10::ScalarType::Long: return "int64";
    case c10::ScalarType::Half: return "float16";
    case c10::ScalarType::Float: return "float32";
    case c10::ScalarType::Double: return "float64";
    case c10::ScalarType::ComplexHalf: return "complex32";
    case c10::ScalarType::ComplexFloat: return "complex64";
    case c10::ScalarType::ComplexDouble: return "complex128";
    default: break;
  }
  std::string name = c10::toString(type);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

template <std::size_t n, class NameOf>
[[gnu::noinline]] const std::array<std::string, n>* make_table(NameOf name_of) {
  auto* names = new std::array<std::string, n>;
  for (std::size_t i = 0; i < n; ++i) (*names)[i] = name_of(i);
  return names;
}

template <std::size_t n, class NameOf>
const char* name_from_table(std::size_t index, NameOf name_of) {
  // Never destroyed: keys point into it, and calls may still be made while the process ends.
  static const auto* table = make_table<n>(name_of);
  return index < n ? (*table)[index].c_str() : "torch.unknown";
}

}  // namespace

const char* dtype_name(std::uint8_t scalar_type) {
  constexpr auto n = static_cast<std::size_t>(c10::ScalarType::NumOptions);
  return name_from_table<n>(scalar_type,
                            [](std::size_t i) { return "torch." + python_dtype(static_cast<c10::ScalarType>(i)); });
}

const char* layout_name(std::uint8_t layout) {
  switch (static_cast<c10::Layout>(layout)) {
    case c10::Layout::Strided: return "torch.strided";
    case c10::Layout::Sparse: return "torch.sparse_coo";
    case c10::Layout::SparseCsr: return "torch.sparse_csr";
    case c10::Layout::SparseCsc: return "torch.sparse_csc";
    case c10::Layout::SparseBsr: return "torch.sparse_bsr";
    case c10::Layout::SparseBsc: return "torch.sparse_bsc";
    case c10::Layout::Mkldnn: return "torch._mkldnn";
    case c10::Layout::Jagged: return "torch.jagged";
    default: return "torch.unknown_layout";
  }
}

const char* memory_format_name(std::uint8_t format) {
  switch (static_cast<c10::MemoryFormat>(format)) {
    case c10::MemoryFormat::Contiguous: return "torch.contiguous_format";
    case c10::MemoryFormat::Preserve: return "torch.preserve_format";
    case c10::MemoryFormat::ChannelsLast: return "torch.channels_last";
    case c10::MemoryFormat::ChannelsLast3d: return "torch.channels_last_3d";
    default: return "torch.unknown_format";
  }
}

const char* qscheme_name(std::uint8_t scheme) {
  constexpr auto n = static_cast<std::size_t>(c10::COMPILE_TIME_NUM_QSCHEMES);
  return name_from_table<n>(scheme,
                            [](std::size_t i) { return "torch." + c10::toString(static_cast<c10::QScheme>(i)); });
}

const char* device_type_name(std::uint8_t type) {
  constexpr auto n = static_cast<std::size_t>(c10::COMPILE_TIME_MAX_DEVICE_TYPES);
  return name_from_table<n>(
      type, [](std::size_t i) { return c10::DeviceTypeName(static_cast<c10::DeviceType>(i), /*lower_case=*/true); });
}

}  // namespace opcov
