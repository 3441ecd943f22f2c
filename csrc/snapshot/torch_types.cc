#include "snapshot/torch_types.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace opcov {
namespace {

constexpr std::array kDtypes = {
    TorchDtype{"bfloat16", 16},
    TorchDtype{"bits16", 16},
    TorchDtype{"bits1x8", 8},
    TorchDtype{"bits2x4", 8},
    TorchDtype{"bits4x2", 8},
    TorchDtype{"bits8", 8},
    TorchDtype{"bool", 8},
    TorchDtype{"complex128", 128},
    TorchDtype{"complex32", 32},
    TorchDtype{"complex64", 64},
    TorchDtype{"float16", 16},
    TorchDtype{"float32", 32},
    TorchDtype{"float4_e2m1fn_x2", 8},
    TorchDtype{"float64", 64},
    TorchDtype{"float8_e4m3fn", 8},
    TorchDtype{"float8_e4m3fnuz", 8},
    TorchDtype{"float8_e5m2", 8},
    TorchDtype{"float8_e5m2fnuz", 8},
    TorchDtype{"float8_e8m0fnu", 8},
    TorchDtype{"int1", 8},
    TorchDtype{"int16", 16},
    TorchDtype{"int2", 8},
    TorchDtype{"int3", 8},
    TorchDtype{"int32", 32},
    TorchDtype{"int4", 8},
    TorchDtype{"int5", 8},
    TorchDtype{"int6", 8},
    TorchDtype{"int64", 64},
    TorchDtype{"int7", 8},
    TorchDtype{"int8", 8},
    TorchDtype{"qint32", 32},
    TorchDtype{"qint8", 8},
    TorchDtype{"quint2x4", 2},
    TorchDtype{"quint4x2", 4},
    TorchDtype{"quint8", 8},
    TorchDtype{"uint1", 8},
    TorchDtype{"uint16", 16},
    TorchDtype{"uint2", 8},
    TorchDtype{"uint3", 8},
    TorchDtype{"uint32", 32},
    TorchDtype{"uint4", 8},
    TorchDtype{"uint5", 8},
    TorchDtype{"uint6", 8},
    TorchDtype{"uint64", 64},
    TorchDtype{"uint7", 8},
    TorchDtype{"uint8", 8},
};

using Pair = std::pair<std::string_view, std::string_view>;
constexpr std::array kStorages = {
    Pair{"BFloat16", "bfloat16"},
    Pair{"Bool", "bool"},
    Pair{"Byte", "uint8"},
    Pair{"Char", "int8"},
    Pair{"ComplexDouble", "complex128"},
    Pair{"ComplexFloat", "complex64"},
    Pair{"Double", "float64"},
    Pair{"Float", "float32"},
    Pair{"Half", "float16"},
    Pair{"Int", "int32"},
    Pair{"Long", "int64"},
    Pair{"QInt32", "qint32"},
    Pair{"QInt8", "qint8"},
    Pair{"QUInt2x4", "quint2x4"},
    Pair{"QUInt4x2", "quint4x2"},
    Pair{"QUInt8", "quint8"},
    Pair{"Short", "int16"},
};
constexpr std::string_view kUntyped = "torch.storage.UntypedStorage";

constexpr std::array<std::string_view, 5> kQschemes = {"per_channel_affine", "per_channel_affine_float_qparams",
                                                       "per_channel_symmetric", "per_tensor_affine",
                                                       "per_tensor_symmetric"};
constexpr std::array<std::string_view, 8> kLayouts = {"_mkldnn",    "jagged",     "sparse_bsc", "sparse_bsr",
                                                      "sparse_coo", "sparse_csc", "sparse_csr", "strided"};
constexpr std::array<std::string_view, 4> kMemoryFormats = {"channels_last", "channels_last_3d", "contiguous_format",
                                                            "preserve_format"};

// The name without its module; empty where the module is another.
std::string_view in_module(std::string_view name, std::string_view module) {
  return name.starts_with(module) ? name.substr(module.size()) : std::string_view();
}

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), in_module(name, "torch.")) != names.end();
}

}  // namespace

std::optional<TorchDtype> torch_dtype(std::string_view name) {
  const std::string_view plain = in_module(name, "torch.");
  for (const TorchDtype& dtype : kDtypes)
    if (dtype.name == plain) return dtype;
  return std::nullopt;
}

std::optional<TorchDtype> dtype_of_storage(std::string_view name) {
  if (name == kUntyped) return torch_dtype("torch.uint8");
  std::string_view plain = in_module(name, "torch.cuda.");
  if (plain.empty()) plain = in_module(name, "torch.");
  constexpr std::string_view kStorage = "Storage";
  if (!plain.ends_with(kStorage)) return std::nullopt;
  plain.remove_suffix(kStorage.size());
  for (const auto& [storage, dtype] : kStorages)
    if (storage == plain) return torch_dtype("torch." + std::string(dtype));
  return std::nullopt;
}

bool is_qscheme(std::string_view name) { return has(kQschemes, name); }
bool is_layout(std::string_view name) { return has(kLayouts, name); }
bool is_memory_format(std::string_view name) { return has(kMemoryFormats, name); }

}  // namespace opcov
