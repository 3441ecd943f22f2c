#include "page/size_folds.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "page/call_numbers.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

using Kind = CallNumber::Kind;

// One reading of a call: this size is the dynamic one, at all its places or at one alone.
struct Reading {
  std::size_t row;
  std::int64_t size;
  std::size_t place;    // a number's, or kEverywhere
  bool strides_follow;  // those that are multiples of the size

  auto operator<=>(const Reading&) const = default;
};

constexpr std::size_t kEverywhere = static_cast<std::size_t>(-1);

// What is left of the call's numbers; equal for calls that differ in the size alone.
std::vector<std::int64_t> rest_of(const CallNumbers& call, const Reading& reading) {
  constexpr std::int64_t kSize = -1;
  constexpr std::int64_t kMultiple = -2;
  std::vector<std::int64_t> rest;
  rest.reserve(call.numbers.size() + 4);
  for (std::size_t i = 0; i < call.numbers.size(); ++i) {
    const auto& [kind, value] = call.numbers[i];
    const bool here = reading.place == kEverywhere ? kind == Kind::kSize || kind == Kind::kValue : i == reading.place;
    if (here && value == reading.size) {
      rest.push_back(kSize);
    } else if (kind == Kind::kStride && reading.strides_follow && value != 0 && value % reading.size == 0) {
      rest.push_back(kMultiple);
      rest.push_back(value / reading.size);
    } else {
      rest.push_back(value);
    }
  }
  return rest;
}

std::size_t hash_of(const std::vector<std::int64_t>& numbers) {
  std::size_t hash = numbers.size();
  for (const std::int64_t number : numbers)
    hash = (hash ^ std::hash<std::int64_t>{}(number)) * 0x9E3779B97F4A7C15ULL + (hash >> 29);
  return hash;
}

template <typename Visit>
void for_each_reading(std::size_t row, const CallNumbers& call, Visit visit) {
  std::set<std::int64_t> sizes;
  const bool has_strides =
      std::any_of(call.numbers.begin(), call.numbers.end(), [](const auto& n) { return n.kind == Kind::kStride; });
  const auto both = [&](std::int64_t size, std::size_t place) {
    visit(Reading{row, size, place, false});
    if (has_strides) visit(Reading{row, size, place, true});
  };
  std::map<std::int64_t, std::size_t> places;
  for (const auto& [kind, value] : call.numbers)
    if (kind == Kind::kSize || kind == Kind::kValue) places[value] += 1;
  for (std::size_t i = 0; i < call.numbers.size(); ++i) {
    const auto& [kind, value] = call.numbers[i];
    if (kind != Kind::kSize || value <= 0) continue;
    sizes.insert(value);
    if (places[value] > 1) both(value, i);
  }
  // A factory's sizes are arguments and no tensor's, but its output has them.
  for (const std::int64_t size : call.output_sizes)
    if (size > 0 && places.contains(size)) sizes.insert(size);
  for (const std::int64_t size : sizes) both(size, kEverywhere);
}

// Rows of one skeleton.
class Folder {
 public:
  Folder(const std::vector<CallNumbers>& calls, std::vector<bool>& folded) : calls_(calls), folded_(folded) {}

  std::vector<std::vector<SizeFold::Member>> fold(const std::vector<std::size_t>& rows) {
    std::unordered_map<std::size_t, std::vector<Reading>> by_hash;
    for (const std::size_t row : rows)
      for_each_reading(row, calls_[row], [&](const Reading& reading) {
        by_hash[hash_of(rest_of(calls_[row], reading))].push_back(reading);
      });
    std::vector<std::vector<Reading>> candidates;
    for (auto& [hash, readings] : by_hash)
      if (readings.size() > 1) candidates.push_back(alike(std::move(readings)));
    std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
      if (a.size() != b.size()) return a.size() > b.size();
      return a.front() < b.front();
    });
    std::vector<std::vector<SizeFold::Member>> folds;
    for (const auto& candidate : candidates)
      if (auto members = take(candidate); !members.empty()) folds.push_back(std::move(members));
    return folds;
  }

 private:
  // Those that are equal to the first, not in their hash alone.
  std::vector<Reading> alike(std::vector<Reading> readings) const {
    const auto first = rest_of(calls_[readings.front().row], readings.front());
    std::erase_if(readings, [&](const Reading& r) { return rest_of(calls_[r.row], r) != first; });
    return readings;
  }

  std::vector<SizeFold::Member> take(const std::vector<Reading>& readings) {
    std::vector<SizeFold::Member> members;
    std::set<std::size_t> rows;
    std::set<std::int64_t> sizes;
    for (const Reading& reading : readings) {
      if (folded_[reading.row] || !rows.insert(reading.row).second) continue;
      members.push_back({reading.row, reading.size});
      sizes.insert(reading.size);
    }
    if (sizes.size() < 2) return {};
    for (const SizeFold::Member& member : members) folded_[member.row] = true;
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
    return members;
  }

  const std::vector<CallNumbers>& calls_;
  std::vector<bool>& folded_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t end_of_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// The text of one member, compared with another's: N where the size changes, * where what follows from it does.
std::string folded_text(const std::string& one, std::int64_t size, const std::string& other) {
  std::string text;
  std::size_t at = 0;
  std::size_t there = 0;
  while (at < one.size()) {
    if (!is_digit(one[at]) || there >= other.size() || !is_digit(other[there])) {
      text += one[at++];
      ++there;
      continue;
    }
    const std::size_t end = end_of_digits(one, at);
    const std::size_t end_there = end_of_digits(other, there);
    const std::string number = one.substr(at, end - at);
    if (number == other.substr(there, end_there - there))
      text += number;
    else
      text += number == std::to_string(size) ? "N" : "*";
    at = end;
    there = end_there;
  }
  return text;
}

std::string text_of(const CoverageRow& row) { return signature_text(row.signature.value()); }

}  // namespace

std::vector<SizeFold> fold_sizes(const std::vector<CoverageRow>& rows) {
  std::vector<CallNumbers> calls;
  std::map<std::string, std::vector<std::size_t>> by_skeleton;
  for (const CoverageRow& row : rows) {
    CallNumbers call = call_numbers(row.signature.value());
    by_skeleton[std::exchange(call.skeleton, {})].push_back(calls.size());
    calls.push_back(std::move(call));
  }
  std::vector<bool> folded(rows.size());
  std::vector<SizeFold> folds;
  for (const auto& [skeleton, of_skeleton] : by_skeleton) {
    if (of_skeleton.size() < 2) continue;
    for (auto& members : Folder(calls, folded).fold(of_skeleton)) {
      const auto& [last, size] = members.back();
      folds.push_back({folded_text(text_of(rows[last]), size, text_of(rows[members.front().row])), std::move(members)});
    }
  }
  std::stable_sort(folds.begin(), folds.end(),
                   [](const SizeFold& a, const SizeFold& b) { return a.members.size() > b.members.size(); });
  return folds;
}

}  // namespace opcov
