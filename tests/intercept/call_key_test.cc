#include "intercept/call_key.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "intercept/call_key_json.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace {

/// The JSON of one value, by way of a key with that one argument.
template <class Append>
std::string argument_json(Append append) {
  CallKey key;
  key.begin(0, 0);
  key.arity(1, 0);
  append(key);
  key.none();
  key.word(0);
  return signature_json(key.data(), key.size(), "o", "s").at("args").at(0).dump();
}

TEST(CallKey, EveryKindOfValueComesOutAsTheContractStates) {
  EXPECT_EQ(argument_json([](CallKey& k) { k.none(); }), "null");
  EXPECT_EQ(argument_json([](CallKey& k) { k.boolean(true); }), "true");
  EXPECT_EQ(argument_json([](CallKey& k) { k.integer(std::numeric_limits<std::int64_t>::min()); }),
            "-9223372036854775808");
  EXPECT_EQ(argument_json([](CallKey& k) { k.real(1e-12); }), "1e-12");
  EXPECT_EQ(argument_json([](CallKey& k) { k.real(std::nan("")); }), R"({"float":"nan"})");
  EXPECT_EQ(argument_json([](CallKey& k) { k.real(-INFINITY); }), R"({"float":"-inf"})");
  EXPECT_EQ(argument_json([](CallKey& k) { k.complex(1.5, INFINITY); }), R"({"complex":[1.5,{"float":"inf"}]})");
  EXPECT_EQ(argument_json([](CallKey& k) { k.text(KeyTag::kString, "nine bytes"); }), R"("nine bytes")");
  EXPECT_EQ(argument_json([](CallKey& k) { k.text(KeyTag::kObject, "Generator"); }), R"({"object":"Generator"})");
  EXPECT_EQ(argument_json([](CallKey& k) { k.name(memory_format_name(2)); }), R"("torch.channels_last")");
  EXPECT_EQ(argument_json([](CallKey& k) {
              k.list(2);
              k.integer(1);
              k.list(0);
            }),
            "[1,[]]");
  EXPECT_EQ(argument_json([](CallKey& k) {
              k.dict(1);
              k.text(KeyTag::kString, "a");
              k.integer(1);
            }),
            R"({"dict":[["a",1]]})");
}

TEST(CallKey, TensorsKeepDtypeShapeStrideAndDevice) {
  constexpr std::array<std::int64_t, 2> kSizes = {3, std::int64_t{1} << 40};
  constexpr std::array<std::int64_t, 2> kStrides = {0, -1};
  TensorHead head;
  head.dtype = 15;
  head.device_type = 1;
  head.device_index = 7;
  head.dims = 2;
  EXPECT_EQ(argument_json([&](CallKey& k) { k.append_tensor(head, kSizes.data(), kStrides.data()); }),
            R"({"dtype":"torch.bfloat16","shape":[3,1099511627776],"stride":[0,-1],"device":"cuda:7"})");
  EXPECT_EQ(argument_json([&](CallKey& k) { k.append_layout_tensor(head, layout_name(2), kSizes.data()); }),
            R"({"dtype":"torch.bfloat16","layout":"torch.sparse_csr","shape":[3,1099511627776],"device":"cuda:7"})");
  head.device_index = -1;
  head.has_shape = false;
  EXPECT_EQ(argument_json([&](CallKey& k) { k.append_layout_tensor(head, layout_name(0), nullptr); }),
            R"({"dtype":"torch.bfloat16","layout":"torch.strided","device":"cuda"})");
}

TEST(CallKey, StringsThatDifferInTheirPaddingAloneDiffer) {
  CallKey a;
  CallKey b;
  a.text(KeyTag::kString, "ab");
  b.text(KeyTag::kString, std::string_view("ab\0", 3));
  EXPECT_FALSE(a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data()));
}

}  // namespace
}  // namespace opcov
