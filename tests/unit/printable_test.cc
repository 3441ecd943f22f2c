#include "base/printable.h"

#include <gtest/gtest.h>

namespace opcov {
namespace {

TEST(Printable, KeepsEveryCharacterThatIsNoControl) {
  const std::string text = "aten.linear \u00e9 \u4e2d \U0001F600 ~";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsNoControlCharacterAndNoStrayByte) {
  EXPECT_EQ(printable("a\x1b[31mb\tc\n\x7f"), "a?[31mb?c??");
  EXPECT_EQ(printable("\u0080\u009b\u00a0"), "??\u00a0");
  EXPECT_EQ(printable("\x9b"
                      "31m\x80\xc2"),
            "?31m??");
  EXPECT_EQ(printable("\xe4\xb8"), "??");
  EXPECT_EQ(printable("\xc0\x80\xff\xf5"), "????");
}

}  // namespace
}  // namespace opcov
