// Signatures: shape, devices, and the pool.
#include "format/signature.h"

#include <gtest/gtest.h>

#include "format/signature_pool.h"
#include "support.h"

namespace opcov {
namespace {

Json without_devices(const std::string& args, const std::string& kwargs, const std::string& output) {
  return make_signature(parse_strict(R"({"args":)" + args + R"(,"kwargs":)" + kwargs + R"(,"op":"a.b.c","output":)" +
                                     output + R"(,"stage":""})"))
      .value();
}

constexpr const char* kTensor = R"({"device":"cuda:1","dtype":"torch.float32","shape":[1],"stride":[1]})";
constexpr const char* kBare = R"({"dtype":"torch.float32","shape":[1],"stride":[1]})";

TEST(Signature, LosesDevicesWhereverTensorsStand) {
  const std::string tensor = kTensor;
  const std::string bare = kBare;
  const Json made = without_devices("[" + tensor + ",[[" + tensor + "]],{\"dict\":[[\"k\"," + tensor + "]]}]",
                                    "{\"out\":" + tensor + ",\"list\":[" + tensor + "]}", "[" + tensor + ",null]");
  EXPECT_EQ(made["args"], parse_strict("[" + bare + ",[[" + bare + "]],{\"dict\":[[\"k\"," + bare + "]]}]"));
  EXPECT_EQ(made["kwargs"], parse_strict("{\"out\":" + bare + ",\"list\":[" + bare + "]}"));
  EXPECT_EQ(made["output"], parse_strict("[" + bare + ",null]"));
}

TEST(Signature, LosesTheDeviceOfAnotherLayout) {
  const Json made =
      without_devices(R"([{"device":"cuda:0","dtype":"torch.float32","layout":"torch.sparse_csr"}])", "{}", "null");
  EXPECT_EQ(made["args"], parse_strict(R"([{"dtype":"torch.float32","layout":"torch.sparse_csr"}])"));
}

TEST(Signature, KeepsTheDeviceArgumentOfAFactory) {
  const std::string kwargs = R"({"device":"cuda","dtype":"torch.float32","layout":"torch.strided"})";
  EXPECT_EQ(without_devices("[[2,3]]", kwargs, kTensor)["kwargs"], parse_strict(kwargs));
}

std::string refusal(const std::string& text) {
  try {
    make_signature(parse_strict(text));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Signature, HasExactlyItsFiveKeys) {
  EXPECT_EQ(refusal("[]"), "the signature is no object");
  EXPECT_EQ(refusal(R"({"args":[],"kwargs":{},"op":"a","output":null})"), "the signature has no \"stage\"");
  EXPECT_EQ(refusal(R"({"args":{},"kwargs":{},"op":"a","output":null,"stage":""})"),
            "the signature's \"args\" is not an array");
  EXPECT_EQ(refusal(R"({"args":[],"kwargs":[],"op":"a","output":null,"stage":""})"),
            "the signature's \"kwargs\" is not an object");
  EXPECT_EQ(refusal(R"({"args":[],"kwargs":{},"op":"","output":null,"stage":""})"),
            "the signature's \"op\" is not a name");
  EXPECT_EQ(refusal(R"({"args":[],"kwargs":{},"op":"a","output":null,"stage":null})"),
            "the signature's \"stage\" is not a string");
  EXPECT_EQ(refusal(R"({"args":[],"kwargs":{},"op":"a","output":null,"stage":"","x":1})"),
            "the signature has a key \"x\"; it takes args, kwargs, op, output and stage alone");
}

TEST(SignaturePool, GivesOneIndexToTextsThatDifferInDeviceOrSpelling) {
  SignaturePool pool;
  const auto first = pool.intern(test::linear(7, "dit", "cuda:0"));
  EXPECT_EQ(pool.intern(test::linear(7, "dit", "cuda:3")), first);
  EXPECT_EQ(pool.intern(test::linear(7, "dit", "")), first);
  EXPECT_EQ(pool.intern(" " + test::linear(7, "dit", "")), first);
  EXPECT_NE(pool.intern(test::linear(8)), first);
  EXPECT_NE(pool.intern(test::linear(7, "vae")), first);
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_EQ(pool[first].op, "aten.linear.default");
  EXPECT_THROW(pool.intern("{}"), FormatError);
  EXPECT_EQ(pool.size(), 3u);
}

}  // namespace
}  // namespace opcov
