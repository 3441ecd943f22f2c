// The recorder's own SHA-256, by the examples that NIST gives for FIPS 180-4.

#include <gtest/gtest.h>

#include <string>

#include "base/sha256.h"

namespace opcov {
namespace {

TEST(PlainSha256, IsAsInTheStandardsExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(PlainSha256, BytesComeInAnyPieces) {
  Sha256 hash;
  for (int i = 0; i < 200; ++i) hash.update(std::string(static_cast<std::size_t>(i % 7), 'x'));
  EXPECT_EQ(hash.finish(), sha256_hex(std::string(594, 'x')));
  EXPECT_EQ(hash.finish(), sha256_hex(""));
}

}  // namespace
}  // namespace opcov
