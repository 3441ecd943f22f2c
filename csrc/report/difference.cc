#include "report/difference.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/printable.h"
#include "format/canonical_json.h"
#include "report/signature_text.h"

namespace opcov {
namespace {

using Kind = CallPart::Kind;
using Parts = std::vector<CallPart>;

constexpr std::uint64_t kDtype = 12;  // also a constant, and a tensor that only one of the calls has
constexpr std::uint64_t kDimensions = 11;
constexpr std::uint64_t kLayout = 10;
constexpr std::uint64_t kSize = 4;
constexpr std::uint64_t kSizesOfATensor = 8;
constexpr std::uint64_t kValue = 2;
constexpr std::uint64_t kValues = 6;
constexpr std::uint64_t kOutput = 1;

// What of the one call stands beside what of the other: both in their order, a null pointer where one has nothing.
template <typename Visit>
void pair_up(const Parts& run, const Parts& snapshot, Visit visit) {
  // Nearly always the places are the same ones.
  std::size_t at = 0;
  for (; at < run.size() && at < snapshot.size() && run[at].where == snapshot[at].where; ++at)
    visit(&run[at], &snapshot[at]);
  if (at == run.size() && at == snapshot.size()) return;
  std::unordered_map<std::string_view, const CallPart*> rest;
  for (std::size_t i = at; i < snapshot.size(); ++i) rest.emplace(snapshot[i].where, &snapshot[i]);
  for (std::size_t i = at; i < run.size(); ++i) {
    const auto found = rest.find(run[i].where);
    visit(&run[i], found == rest.end() ? nullptr : found->second);
    if (found != rest.end()) rest.erase(found);
  }
  for (std::size_t i = at; i < snapshot.size(); ++i)
    if (rest.contains(snapshot[i].where)) visit(nullptr, &snapshot[i]);
}

bool is(const CallPart* part, Kind kind) { return part != nullptr && part->kind == kind; }

std::uint64_t chosen_by(const CallPart* run, const CallPart* snapshot) {
  const bool tensors = is(run, Kind::kTensor) && is(snapshot, Kind::kTensor);
  if (!tensors) {
    if (is(run, Kind::kTensor) || is(snapshot, Kind::kTensor)) return kDtype;
    if (!is(run, Kind::kConstant) && !is(snapshot, Kind::kConstant)) return 0;
    const bool equal = run != nullptr && snapshot != nullptr && run->same_value(*snapshot);
    return equal ? 0 : kDtype;
  }
  const std::uint64_t weight = run->dtype == snapshot->dtype ? 0 : kDtype;
  if (run->sizes.size() != snapshot->sizes.size()) return weight + kDimensions;
  return weight + (run->layout.kind == snapshot->layout.kind ? 0 : kLayout);
}

void add_tensors(const CallPart& run, const CallPart& snapshot, Distance& sum) {
  if (run.sizes.size() != snapshot.sizes.size()) return;
  std::uint64_t sizes = 0;
  for (std::size_t i = 0; i < run.sizes.size(); ++i) sizes += run.sizes[i] == snapshot.sizes[i] ? 0 : 1;
  sum.sizes += sizes;
  sum.elements += std::abs(run.elements - snapshot.elements);
  sum.weight += std::min(kSizesOfATensor, kSize * sizes);
  // A slice or a step of another length.
  const bool same_kind = run.dtype == snapshot.dtype && run.layout.kind == snapshot.layout.kind;
  if (sizes == 0 && same_kind && !run.same_value(snapshot)) sum.weight += kSize;
}

class Words {
 public:
  void add(const CallPart* run, const CallPart* snapshot) {
    if (run == nullptr || snapshot == nullptr || run->kind != snapshot->kind) return add_unlike(run, snapshot);
    if (run->same_value(*snapshot)) return;
    if (run->kind == Kind::kTensor) return add_tensors(*run, *snapshot);
    const std::string where = place(*run);
    const bool items = is_list(*run);
    if (items) told_.insert(where);
    add(where, items ? "items" : "value", text(run), text(snapshot));
  }

  void add(const std::string& where, const std::string& what, const std::string& run, const std::string& snapshot) {
    all_.push_back({where, what, run, snapshot});
  }

  std::vector<Difference> take() { return std::move(all_); }

 private:
  static constexpr std::string_view kItems = " items";
  static constexpr const char* kMissing = "missing";

  static bool is_list(const CallPart& part) { return part.where.ends_with(kItems); }

  static std::string place(const CallPart& part) {
    return is_list(part) ? part.where.substr(0, part.where.size() - kItems.size()) : part.where;
  }

  static std::string text(const CallPart* part) {
    return part == nullptr ? kMissing : printable(shortened(value_text(part->value), 200));
  }

  /// The list whose number of items this part is; its items follow it.
  static Json list_from(const CallPart*& part) {
    if (!is_list(*part)) return (part++)->value;
    Json list = Json::array();
    for (auto left = (part++)->value.get<std::size_t>(); left > 0; --left) list.push_back(list_from(part));
    return list;
  }

  static std::string whole_text(const CallPart* part) {
    if (part == nullptr || !is_list(*part)) return text(part);
    return printable(shortened(value_text(list_from(part)), 200));
  }

  /// Is it in a list of which all has been said?
  bool is_told(std::string where) const {
    while (where.ends_with(']')) {
      where.erase(where.rfind('['));
      if (told_.contains(where)) return true;
    }
    return false;
  }

  /// What only one of the calls has there; or a list beside something else, which come one after the other.
  void add_unlike(const CallPart* run, const CallPart* snapshot) {
    const std::string where = place(run != nullptr ? *run : *snapshot);
    if (is_told(where)) return;
    const auto other = unlike_.find(where);
    if (other == unlike_.end()) {
      told_.insert(where);
      unlike_.emplace(where, all_.size());
      return add(where, "presence", whole_text(run), whole_text(snapshot));
    }
    Difference& both = all_[other->second];
    if (run != nullptr) both.run = whole_text(run);
    if (snapshot != nullptr) both.snapshot = whole_text(snapshot);
  }

  void add_tensors(const CallPart& run, const CallPart& snapshot) {
    const std::string& where = run.where;
    if (run.dtype != snapshot.dtype) add(where, "dtype", run.dtype, snapshot.dtype);
    const bool strided = !run.value.contains("layout") && !snapshot.value.contains("layout");
    if (run.sizes.size() != snapshot.sizes.size()) {
      add(where, "dimensions", dimensions(run), dimensions(snapshot));
    } else {
      for (std::size_t i = 0; i < run.sizes.size(); ++i)
        if (run.sizes[i] != snapshot.sizes[i])
          add(where, "dim " + std::to_string(i), std::to_string(run.sizes[i]), std::to_string(snapshot.sizes[i]));
    }
    if (run.layout.text != snapshot.layout.text) {
      add(where, strided ? "stride" : "layout", run.layout.text, snapshot.layout.text);
    } else if (run.sizes == snapshot.sizes && run.dtype == snapshot.dtype) {
      add(where, "stride", canonical_json(run.value.value("stride", Json())),
          canonical_json(snapshot.value.value("stride", Json())));
    }
  }

  static std::string dimensions(const CallPart& part) {
    return std::to_string(part.sizes.size()) + " " + canonical_json(part.value.value("shape", Json()));
  }

  std::vector<Difference> all_;
  std::unordered_set<std::string> told_;                 // places of which nothing more is to be said
  std::unordered_map<std::string, std::size_t> unlike_;  // by place: its difference
};

}  // namespace

// What is easily taken for the same call: the operator's schema would tell, which only torch has.
static std::string spelling(const Difference& difference) {
  if (difference.what != "presence" || difference.run != "missing" || difference.where.ends_with(']')) return {};
  if (difference.where.starts_with("arg ")) return " (a snapshot leaves out trailing defaults, as the run does)";
  if (difference.where.starts_with("kwarg "))
    return " (a snapshot leaves out defaults, and has by position what the run has so)";
  return {};
}

std::string Difference::text() const {
  const bool told_by_place = what == "presence" || what == "value" || what == "stage";
  return where + (told_by_place ? "" : " " + what) + ": " + run + " in the run, " + snapshot + " in the snapshot" +
         spelling(*this);
}

ComparedCall compared_call(const Json& signature) {
  ComparedCall call;
  call.arguments = parts_of_arguments(signature);
  call.output = parts_of_output(signature);
  call.states_output = signature.contains("output");
  call.states_stage = signature.contains("stage");
  if (call.states_stage) call.stage = signature.at("stage").get<std::string>();
  return call;
}

std::uint64_t skeleton_weight(const ComparedCall& run, const ComparedCall& snapshot) {
  std::uint64_t weight = 0;
  pair_up(run.arguments, snapshot.arguments, [&](const CallPart* a, const CallPart* b) { weight += chosen_by(a, b); });
  return weight;
}

std::string skeleton(const ComparedCall& call) {
  std::string text;
  for (const CallPart& part : call.arguments) {
    if (part.kind == Kind::kValue) continue;
    text += part.where + '\n';
    text += part.kind == Kind::kConstant
                ? value_text(part.value)
                : part.dtype + ' ' + std::to_string(part.sizes.size()) + ' ' + part.layout.kind;
    text += '\n';
  }
  return text;
}

Distance distance(const ComparedCall& run, const ComparedCall& snapshot, std::uint64_t skeletons) {
  Distance sum;
  sum.weight = skeletons;
  std::uint64_t values = 0;
  pair_up(run.arguments, snapshot.arguments, [&](const CallPart* a, const CallPart* b) {
    if (is(a, Kind::kTensor) && is(b, Kind::kTensor)) add_tensors(*a, *b, sum);
    const bool value = is(a, Kind::kValue) || is(b, Kind::kValue);
    if (value && (a == nullptr || b == nullptr || !a->same_value(*b))) values += kValue;
  });
  sum.weight += std::min(values, kValues);
  if (snapshot.states_output) {
    bool differs = false;
    pair_up(run.output, snapshot.output, [&](const CallPart* a, const CallPart* b) {
      differs = differs || a == nullptr || b == nullptr || !a->same_value(*b);
    });
    if (differs) sum.weight += kOutput;
  }
  sum.stage = snapshot.states_stage && snapshot.stage != run.stage;
  return sum;
}

std::vector<Difference> differences(const ComparedCall& run, const ComparedCall& snapshot) {
  Words words;
  const auto add = [&](const CallPart* a, const CallPart* b) { words.add(a, b); };
  pair_up(run.arguments, snapshot.arguments, add);
  if (snapshot.states_output) pair_up(run.output, snapshot.output, add);
  std::vector<Difference> all = words.take();
  if (snapshot.states_stage && snapshot.stage != run.stage)
    all.push_back({all.empty() ? "stage only" : "stage", "stage", '"' + run.stage + '"', '"' + snapshot.stage + '"'});
  return all;
}

}  // namespace opcov
