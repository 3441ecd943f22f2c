#include "snapshot_support.h"

namespace opcov::test {

std::string bytes_of(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8U) text += static_cast<char>(value & 0xFFU);
  return text;
}

std::string pickled_text(const std::string& text) { return "X" + bytes_of(text.size(), 4) + text; }

std::string pickled_int(std::int32_t value) { return "J" + bytes_of(static_cast<std::uint32_t>(value), 4); }

std::string pickled_tuple(const std::vector<std::string>& items) {
  std::string text = "(";
  for (const std::string& item : items) text += item;
  return text + "t";
}

std::string pickled_global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}

std::string pickled_storage(std::int32_t elements, const std::string& key) {
  return pickled_tuple({pickled_text("storage"), pickled_global("torch", "FloatStorage"), pickled_text(key),
                        pickled_text("cpu"), pickled_int(elements)}) +
         "Q";
}

std::string pickled_tensor(const std::string& storage, std::int32_t offset, const std::vector<std::int32_t>& shape,
                           const std::vector<std::int32_t>& stride) {
  const auto tuple = [](const std::vector<std::int32_t>& numbers) {
    std::vector<std::string> items;
    for (const std::int32_t number : numbers) items.push_back(pickled_int(number));
    return pickled_tuple(items);
  };
  return pickled_global("torch._utils", "_rebuild_tensor_v2") +
         pickled_tuple({storage, pickled_int(offset), tuple(shape), tuple(stride), "\x89",
                        pickled_global("collections", "OrderedDict") + ")R"}) +
         "R";
}

std::string pickled_call(const std::vector<std::string>& args) {
  return "\x80\x02}(" + pickled_text("args") + pickled_tuple(args) + pickled_text("kwargs") + "}u.";
}

std::string pickled_call_of(const std::string& op, const std::vector<std::string>& args) {
  return "\x80\x02}(" + pickled_text("op") + pickled_text(op) + pickled_text("args") + pickled_tuple(args) + "u.";
}

std::string zip_of(const std::vector<ZipPart>& parts, const std::string& behind, const std::string& comment) {
  std::string file;
  std::string directory;
  for (const ZipPart& part : parts) {
    const std::uint64_t offset = part.offset < 0 ? file.size() : static_cast<std::uint64_t>(part.offset);
    const std::string common = bytes_of(static_cast<std::uint64_t>(part.flags), 2) +
                               bytes_of(static_cast<std::uint64_t>(part.method), 2) + bytes_of(0, 8);
    file += "PK\3\4" + bytes_of(20, 2) + common + bytes_of(part.compressed, 4) + bytes_of(part.size, 4) +
            bytes_of(part.name_in_its_header.size(), 2) + bytes_of(0, 2) + part.name_in_its_header + part.data;
    directory += "PK\1\2" + bytes_of(20, 2) + bytes_of(20, 2) + common + bytes_of(part.compressed, 4) +
                 bytes_of(part.size, 4) + bytes_of(part.name.size(), 2) + bytes_of(part.extra.size(), 2) +
                 bytes_of(0, 10) + bytes_of(offset, 4) + part.name + part.extra;
  }
  const std::string end = "PK\5\6" + bytes_of(0, 4) + bytes_of(parts.size(), 2) + bytes_of(parts.size(), 2) +
                          bytes_of(directory.size(), 4) + bytes_of(file.size(), 4) + bytes_of(comment.size(), 2);
  return file + directory + behind + end + comment;
}

std::string snapshot_of(const std::string& pickle) {
  return zip_of({{"call/data.pkl", pickle}, {"call/data/0", std::string(96, 'x')}});
}

}  // namespace opcov::test
