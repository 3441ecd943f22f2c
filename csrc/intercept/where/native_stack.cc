#include "intercept/where/native_stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

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

struct Frame {
  std::uintptr_t address = 0;
  std::uintptr_t base = 0;     // of its library
  const char* path = nullptr;  // of its library, which stays as long as it has a frame; null where there is none
};

struct Frames {
  std::array<Frame, kMostWalked> all;
  std::size_t depth = 0;
};

/// Finds the frames of one library. Not by dladdr(3), which goes through all symbols of a library: milliseconds for
/// torch's.
int take_library(dl_phdr_info* library, std::size_t /*size*/, void* of) noexcept {
  auto& frames = *static_cast<Frames*>(of);
  for (std::size_t i = 0; i < library->dlpi_phnum; ++i) {
    const auto& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    for (std::size_t at = 0; at < frames.depth; ++at)
      if (Frame& frame = frames.all[at]; frame.address - begin < segment.p_memsz) {
        frame.base = library->dlpi_addr;
        frame.path = library->dlpi_name;
      }
  }
  return 0;
}

Frames present_frames() {
  std::array<void*, kMostWalked> addresses{};
  Frames frames;
  frames.depth = static_cast<std::size_t>(backtrace(addresses.data(), static_cast<int>(addresses.size())));
  // The address is that of what follows the call, which may be the next function.
  for (std::size_t i = 0; i < frames.depth; ++i)
    frames.all[i].address = reinterpret_cast<std::uintptr_t>(addresses[i]) - 1;
  dl_iterate_phdr(take_library, &frames);
  return frames;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The program's own file has no path among the libraries.
std::string program_path() {
  std::array<char, 4096> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : "program";
}

/// Frames between the call and the program's own, and below its main().
bool is_inner(std::string_view library) {
  constexpr std::array<std::string_view, 11> kInner = {"libopcov",    "libtorch", "libc10",   "libstdc++.",
                                                       "libgcc_s.",   "libc.so",  "ld-linux", "libpython",
                                                       "libpthread.", "libgomp",  "python3"};
  return std::any_of(kInner.begin(), kInner.end(), [&](auto start) { return library.starts_with(start); });
}

/// Is it in what the kernel starts, which is nobody's code and below every main()? Some ten instructions long.
bool is_entry(std::uintptr_t address) {
  const std::uintptr_t entry = getauxval(AT_ENTRY);
  return address >= entry && address - entry < 64;
}

/// With a space before it; empty where the library does not export it.
std::string function_at(std::uintptr_t address) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0 || info.dli_sname == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status),
                                                         std::free);
  return " " + short_name(status == 0 ? name.get() : info.dli_sname);
}

std::string hexadecimal(std::uintptr_t number) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "0x%lx", static_cast<unsigned long>(number));
  return text.data();
}

}  // namespace

CallPlace native_place() {
  const Frames frames = present_frames();
  const std::string program = program_path();
  CallPlace place;
  for (std::size_t i = 0; i < frames.depth; ++i) {
    const auto& [address, base, path] = frames.all[i];
    if (path == nullptr || is_entry(address)) continue;
    const std::string_view library = base_name(*path == '\0' ? program : std::string_view(path));
    if (is_inner(library)) continue;
    if (place.frames.size() == kMostFrames) {
      place.more_frames = true;
      break;
    }
    place.frames.push_back(short_name(std::string(library)) + "+" + hexadecimal(address - base) + function_at(address));
  }
  return place;
}

}  // namespace opcov
