#include "snapshot/pickle_reader.h"

#include <unordered_map>
#include <utility>

#include "format/format_error.h"
#include "format/strict_json.h"

namespace opcov {
namespace {

class PickleReader {
 public:
  explicit PickleReader(std::string bytes) : graph_(std::move(bytes)), bytes_(graph_.bytes()) {}

  PickleGraph read() {
    while (step(static_cast<unsigned char>(take(1)[0]))) {
      if (graph_.size() > kMostPickleValues || stack_.size() > kMostPickleValues || memo_.size() > kMostPickleValues)
        throw FormatError("its pickle holds more than 1,000,000 values; a snapshot holds one call");
    }
    return std::move(graph_);
  }

 private:
  using Kind = PickleKind;

  // Bytes and numbers of the pickle.
  std::string_view take(std::size_t bytes) {
    if (bytes > bytes_.size() - at_) throw FormatError("its pickle ends early");
    at_ += bytes;
    return bytes_.substr(at_ - bytes, bytes);
  }
  std::uint64_t number(std::size_t bytes) {
    const std::string_view text = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(text[i]);
    return value;
  }
  std::uint64_t big_endian() {
    std::uint64_t value = 0;
    for (const char byte : take(8)) value = value << 8U | static_cast<unsigned char>(byte);
    return value;
  }
  PickleId text(Kind kind, std::size_t length_bytes) {
    const std::uint64_t bytes = number(length_bytes);
    return text(kind, take(bytes));
  }
  PickleId text(Kind kind, std::string_view bytes) {
    if (kind == Kind::kString && !is_utf8(std::string(bytes)))
      throw FormatError("holds a string that is not valid UTF-8");
    return graph_.add_text(kind, static_cast<std::size_t>(bytes.data() - bytes_.data()), bytes.size());
  }
  PickleId line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) throw FormatError("its pickle ends early");
    const std::size_t begin = std::exchange(at_, end + 1);
    return text(Kind::kString, bytes_.substr(begin, end - begin));
  }

  // The stack, which ends at the last mark.
  bool push(PickleId id) {
    stack_.push_back(id);
    return true;
  }
  PickleId pop() {
    const PickleId id = top();
    stack_.pop_back();
    return id;
  }
  PickleId top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
      throw FormatError("its pickle is damaged: nothing to take");
    return stack_.back();
  }
  std::vector<PickleId> pop_mark() {
    if (marks_.empty()) throw FormatError("its pickle is damaged: no mark");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }
  std::vector<PickleId> pop(std::size_t n) {
    std::vector<PickleId> items(n);
    for (std::size_t i = n; i-- > 0;) items[i] = pop();
    return items;
  }

  bool push(Kind kind, std::uint64_t bits = 0) { return push(graph_.add(kind, bits)); }
  bool push_tuple(std::vector<PickleId> items) { return push(graph_.add(Kind::kTuple, 0, std::move(items))); }
  bool push_signed(std::size_t bytes) {
    const std::uint64_t bits = number(bytes);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
    if (bytes == 0) return push(Kind::kInt, 0);
    return push(Kind::kInt, static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused));
  }
  bool push_long(std::size_t bytes) {
    if (bytes <= 8) return push_signed(bytes);
    take(bytes);
    return push(Kind::kHugeInt);
  }
  bool push_global(PickleId module, PickleId name) {
    if (!graph_.is(module, Kind::kString) || !graph_.is(name, Kind::kString))
      throw FormatError("its pickle names a global by something that is no string");
    return push(graph_.add(Kind::kGlobal, 0, {module, name}));
  }

  bool call() {
    std::vector<PickleId> items = pop(2);
    if (!graph_.is(items[0], Kind::kGlobal) || !graph_.is(items[1], Kind::kTuple))
      throw FormatError("its pickle calls something that is no function it names");
    // A dict of another name; empty, or what it holds would be given as arguments.
    if (graph_.items(items[1]).empty() && graph_.global(items[0]) == "collections.OrderedDict")
      return push(Kind::kDict);
    return push(graph_.add(Kind::kCall, 0, std::move(items)));
  }
  bool build() {
    const PickleId state = pop();
    const PickleId object = top();
    if (graph_.is(object, Kind::kDict)) return true;  // attributes, as torch.nn's state dicts have, are no part of it
    if (!graph_.is(object, Kind::kCall)) throw FormatError("its pickle sets the state of what has none");
    graph_.items(object).push_back(state);
    return true;
  }

  bool append(Kind kind, const std::vector<PickleId>& items) {
    const PickleId container = top();
    if (!graph_.is(container, kind))
      throw FormatError(kind == Kind::kList ? "its pickle appends to what is no list"
                                            : "its pickle sets items of what is no dict");
    if (kind == Kind::kDict && items.size() % 2 != 0) throw FormatError("its pickle has a key without a value");
    std::vector<PickleId>& all = graph_.items(container);
    all.insert(all.end(), items.begin(), items.end());
    return true;
  }

  bool remember(std::uint64_t number) {
    memo_[number] = top();
    return true;
  }
  bool recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) throw FormatError("its pickle refers to a value that it does not have");
    return push(found->second);
  }

  bool protocol() {
    if (number(1) > 5) throw FormatError("its pickle is of a protocol beyond 5");
    return true;
  }
  bool mark() {
    marks_.push_back(stack_.size());
    if (marks_.size() > kMostPickleValues) throw FormatError("its pickle is nested too deep");
    return true;
  }
  bool stop() {
    graph_.set_root(pop());
    return false;
  }

  bool step(unsigned opcode);

  PickleGraph graph_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleId> memo_;
};

// By the names that Python's pickletools gives them.
bool PickleReader::step(unsigned opcode) {
  switch (opcode) {
    case 0x80: return protocol();
    case 0x95: return take(8), true;  // FRAME: how much to read ahead
    case '.': return stop();
    case '(': return mark();

    case 'N': return push(Kind::kNone);
    case 0x88: return push(Kind::kBool, 1);
    case 0x89: return push(Kind::kBool, 0);
    case 'J': return push_signed(4);
    case 'K': return push(Kind::kInt, number(1));
    case 'M': return push(Kind::kInt, number(2));
    case 0x8a: return push_long(number(1));
    case 0x8b: return push_long(number(4));
    case 'G': return push(Kind::kFloat, big_endian());
    case 'X': return push(text(Kind::kString, 4));
    case 0x8c: return push(text(Kind::kString, 1));
    case 0x8d: return push(text(Kind::kString, 8));
    case 'T': return push(text(Kind::kString, 4));  // Python 2's strings
    case 'U': return push(text(Kind::kString, 1));
    case 'B': return push(text(Kind::kBytes, 4));
    case 'C': return push(text(Kind::kBytes, 1));
    case 0x8e: return push(text(Kind::kBytes, 8));

    case ')': return push_tuple({});
    case 't': return push_tuple(pop_mark());
    case 0x85: return push_tuple(pop(1));
    case 0x86: return push_tuple(pop(2));
    case 0x87: return push_tuple(pop(3));
    case ']': return push(Kind::kList);
    case 'a': return append(Kind::kList, pop(1));
    case 'e': return append(Kind::kList, pop_mark());
    case '}': return push(Kind::kDict);
    case 's': return append(Kind::kDict, pop(2));
    case 'u': return append(Kind::kDict, pop_mark());

    case 'c': {
      const PickleId module = line();
      return push_global(module, line());
    }
    case 0x93: {
      const std::vector<PickleId> names = pop(2);
      return push_global(names[0], names[1]);
    }
    case 'R': return call();
    case 0x81: return call();  // NEWOBJ: of a class
    case 'b': return build();
    case 'Q': return push(graph_.add(Kind::kPersistent, 0, pop(1)));

    case 'q': return remember(number(1));
    case 'r': return remember(number(4));
    case 0x94: return remember(memo_.size());
    case 'h': return recall(number(1));
    case 'j': return recall(number(4));
    default: break;
  }
  constexpr const char* kDigits = "0123456789abcdef";
  throw FormatError(std::string("its pickle has an opcode (0x") + kDigits[opcode >> 4U] + kDigits[opcode & 15U] +
                    ") that torch.save writes for no operator's input");
}

}  // namespace

PickleGraph read_pickle(std::string bytes) {
  if (bytes.size() > kLargestPickle) throw FormatError("its pickle is larger than 16 MiB; a snapshot holds one call");
  return PickleReader(std::move(bytes)).read();
}

}  // namespace opcov
