#include "intercept/where/native_stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "intercept/where/short_text.h"

namespace opcov {
namespace {

constexpr std::size_t kMostWalked = 128;
constexpr std::size_t kMostFrames = 16;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Frames between the call and the program's own, and below its main().
bool is_inner(std::string_view library) {
  constexpr std::array<std::string_view, 11> kInner = {"libopcov",    "libtorch", "libc10",   "libstdc++.",
                                                       "libgcc_s.",   "libc.so",  "ld-linux", "libpython",
                                                       "libpthread.", "libgomp",  "python3"};
  if (library == "python") return true;
  return std::any_of(kInner.begin(), kInner.end(), [&](auto start) { return library.starts_with(start); });
}

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                         std::free);
  return short_name(status == 0 ? name.get() : symbol);
}

std::string hexadecimal(std::uintptr_t number) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "0x%lx", static_cast<unsigned long>(number));
  return text.data();
}

}  // namespace

CallPlace native_place() {
  std::array<void*, kMostWalked> addresses{};
  const auto depth = static_cast<std::size_t>(backtrace(addresses.data(), static_cast<int>(addresses.size())));
  CallPlace place;
  for (std::size_t i = 0; i < depth && !place.more_frames; ++i) {
    // The address is that of what follows the call, which may be the next function.
    const auto address = reinterpret_cast<std::uintptr_t>(addresses[i]) - 1;
    Dl_info info{};
    link_map* library = nullptr;
    if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0)
      continue;
    const std::string_view name = base_name(info.dli_fname);
    if (is_inner(name)) continue;
    place.more_frames = place.frames.size() == kMostFrames;
    if (place.more_frames) break;
    place.frames.push_back(short_name(std::string(name)) + "+" + hexadecimal(address - library->l_addr) +
                           (info.dli_sname == nullptr ? "" : " " + demangled(info.dli_sname)));
  }
  return place;
}

}  // namespace opcov
