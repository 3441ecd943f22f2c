#include "report/weight.h"

#include <array>
#include <string_view>
#include <unordered_map>

#include "report/coverage.h"
#include "report/weight_bytes.h"
#include "report/weight_flops.h"

namespace opcov {
namespace {

struct Family {
  flops::Formula flops;
  Traffic bytes;
  std::string_view operators;  // of aten, without overload; one stands for its in-place form too
};

// docs/weights.md explains each line.
constexpr std::array kFamilies = {
    Family{flops::contraction<0>, Traffic::kAll,
           "linear matmul mm bmm mv dot vdot _scaled_mm _int_mm _weight_int8pack_mm _weight_int4pack_mm"},
    Family{flops::contraction<1>, Traffic::kAll, "addmm baddbmm addmv _addmm_activation"},
    Family{flops::batch_sum, Traffic::kAll, "addbmm"},
    Family{flops::convolution, Traffic::kAll,
           "conv1d conv2d conv3d cudnn_convolution cudnn_convolution_relu cudnn_convolution_add_relu "
           "mkldnn_convolution _slow_conv2d_forward"},
    Family{flops::transposed_convolution, Traffic::kAll,
           "conv_transpose1d conv_transpose2d conv_transpose3d cudnn_convolution_transpose"},
    Family{flops::convolution_either, Traffic::kAll, "convolution _convolution convolution_overrideable"},
    Family{flops::convolution_backward, Traffic::kAll, "convolution_backward"},
    Family{flops::attention, Traffic::kAll,
           "scaled_dot_product_attention _scaled_dot_product_attention_math "
           "_scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_for_cpu "
           "_scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention "
           "_scaled_dot_product_fused_attention_overrideable"},
    Family{flops::attention_backward, Traffic::kAll,
           "_scaled_dot_product_flash_attention_backward _scaled_dot_product_flash_attention_for_cpu_backward "
           "_scaled_dot_product_efficient_attention_backward _scaled_dot_product_cudnn_attention_backward "
           "_scaled_dot_product_fused_attention_overrideable_backward"},
    Family{flops::attention_by_sequence<3>, Traffic::kAll, "_flash_attention_forward"},
    Family{flops::attention_by_sequence<4>, Traffic::kAll, "_efficient_attention_forward"},
    Family{flops::attention_by_sequence_backward, Traffic::kAll,
           "_flash_attention_backward _efficient_attention_backward"},
    // Element by element.
    Family{flops::none, Traffic::kAll,
           "abs acos add addcdiv addcmul asin atan atan2 bitwise_and bitwise_not bitwise_or bitwise_xor ceil clamp "
           "clamp_max clamp_min clip conj_physical cos cosh div divide dropout elu eq erf erfc exp exp2 expm1 floor "
           "floor_divide fmod ge gelu gelu_backward glu gt hardsigmoid hardswish hardtanh isfinite isinf isnan le "
           "leaky_relu lerp log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor logit lt "
           "masked_fill maximum minimum mish mul multiply nan_to_num native_dropout ne neg negative not_equal polar "
           "pow prelu reciprocal relu relu6 remainder round rsqrt rsub selu sgn sigmoid sigmoid_backward sign silu "
           "silu_backward sin sinh softplus softshrink sqrt square sub subtract tan tanh tanh_backward threshold "
           "threshold_backward trunc where xlogy"},
    // Norms, softmax, reductions, pooling.
    Family{flops::none, Traffic::kAll,
           "_fused_rms_norm _log_softmax _log_softmax_backward_data _native_batch_norm_legit "
           "_native_batch_norm_legit_no_training _softmax _softmax_backward_data adaptive_avg_pool1d "
           "adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d all amax amin any argmax "
           "argmin avg_pool1d avg_pool2d avg_pool3d batch_norm cudnn_batch_norm cumprod cumsum group_norm "
           "instance_norm item layer_norm linalg_vector_norm _local_scalar_dense log_softmax logsumexp max max_pool1d "
           "max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices mean min native_batch_norm "
           "native_group_norm native_group_norm_backward native_layer_norm native_layer_norm_backward norm prod "
           "rms_norm softmax sort std std_mean sum topk var var_mean"},
    // Copies.
    Family{flops::none, Traffic::kAll,
           "_to_copy _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d cat clone concat "
           "constant_pad_nd contiguous flip nonzero pad pixel_shuffle pixel_unshuffle repeat resolve_conj resolve_neg "
           "roll stack to tril triu type_as upsample_bicubic2d upsample_bilinear2d upsample_linear1d "
           "upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d"},
    Family{flops::none, Traffic::kReshapes, "flatten ravel reshape reshape_as"},
    Family{flops::none, Traffic::kPicks, "embedding gather index index_select take take_along_dim"},
    Family{flops::none, Traffic::kOverwrites, "copy fill zero"},
    Family{flops::none, Traffic::kOutputs,
           "arange eye full full_like linspace new_full new_ones new_zeros ones ones_like rand rand_like randint randn "
           "randn_like scalar_tensor zeros zeros_like"},
    // Views, and memory that nobody fills.
    Family{flops::none, Traffic::kNone,
           "_conj _neg_view _reshape_alias _unsafe_view adjoint alias as_strided broadcast_to chunk conj detach "
           "diagonal empty empty_like empty_strided expand expand_as hsplit imag lift_fresh mT movedim narrow "
           "new_empty new_empty_strided numpy_T permute real select slice split split_with_sizes squeeze swapaxes t "
           "tensor_split transpose unbind unflatten unfold unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze "
           "view view_as view_as_complex view_as_real"},
};

using FamiliesByName = std::unordered_map<std::string_view, const Family*>;

const FamiliesByName& families() {
  static const FamiliesByName table = [] {
    FamiliesByName by_name;
    for (const Family& family : kFamilies)
      for (std::string_view rest = family.operators; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        by_name.emplace(rest.substr(0, end), &family);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    return by_name;
  }();
  return table;
}

const Family* family_of(std::string_view op) {
  constexpr std::string_view kNamespace = "aten.";
  if (!op.starts_with(kNamespace)) return nullptr;
  op.remove_prefix(kNamespace.size());
  op = op.substr(0, op.find('.'));
  if (op.ends_with('_') && !op.ends_with("__")) op.remove_suffix(1);
  const auto found = families().find(op);
  return found == families().end() ? nullptr : found->second;
}

}  // namespace

Weight weight_of(const Json& signature) {
  const Family* family = family_of(signature.at("op").get_ref<const std::string&>());
  if (family == nullptr) return {};
  const WeighedCall call(signature);
  return {family->flops(call), moved_bytes(call, family->bytes)};
}

Weight weight_of(const CoverageRow& row, const Json& signature) {
  return row.returns_input ? Weight{0, 0} : weight_of(signature);
}

}  // namespace opcov
