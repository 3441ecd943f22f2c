#include "intercept/graph_calls.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "intercept/blind_spots.h"
#include "intercept/key_table.h"
#include "intercept/recorder.h"
#include "intercept/session.h"
#include "intercept/where/where.h"
#include "opcov/graph.h"

namespace opcov::graph_calls {
namespace {

struct CapturedCall {
  const std::string* op = nullptr;  // of a HookedOp, which is never freed
  std::uint32_t stage = 0;
  std::uint64_t times = 0;
};

/// In the order in which they were first captured.
struct Graph {
  std::vector<KeyView> order;
  KeyTable<CapturedCall> calls;
};

struct OpenCapture {
  std::uint64_t graph;
  std::thread::id thread;
};

struct Graphs {
  ForkMutex mutex;
  std::vector<OpenCapture> open;
  std::map<std::uint64_t, Graph> graphs;
};

Graphs& all() {
  static auto* const graphs = new Graphs;  // threads may outlive main
  return *graphs;
}

/// Not for ever: in a child that was forked beside it, it may stay taken.
std::unique_lock<ForkMutex> locked() { return {all().mutex, std::chrono::seconds(1)}; }

/// Where several are under way, autograd's threads, which capture for another, cannot be told apart.
const OpenCapture* present_capture() {
  const auto& open = all().open;
  if (open.size() == 1) return open.data();
  const auto own = std::find_if(open.begin(), open.end(),
                                [](const OpenCapture& one) { return one.thread == std::this_thread::get_id(); });
  return own == open.end() ? nullptr : &*own;
}

bool keep(const HookedOp& op, std::uint32_t stage, const KeyView& key) {
  const auto lock = locked();
  if (!lock.owns_lock()) return false;
  const OpenCapture* capture = present_capture();
  if (capture == nullptr) return false;
  Graph& graph = all().graphs[capture->graph];
  auto entry = graph.calls.find(key);
  if (entry.key == nullptr) {
    entry = graph.calls.add(key, {&op.name, stage, 0});
    graph.order.push_back({entry.key, key.size, key.hash});
  }
  ++entry.value->times;
  return true;
}

bool returns_input(const KeyView& key) { return key.words[key.size - 1] != 0; }

}  // namespace

void add(Session& session, const HookedOp& op, std::uint32_t stage, const KeyView& key) noexcept try {
  const std::string where = where_of_new(session, key);
  session.count_captured({key, op.name, stage, returns_input(key), where});
  if (!keep(op, stage, key)) blind_spots::count(blind_spots::Kind::kGraphCapture);
} catch (...) {
  blind_spots::count(blind_spots::Kind::kGraphCapture);
}

void begin(std::uint64_t graph) noexcept try {
  const auto lock = locked();
  if (lock.owns_lock()) all().open.push_back({graph, std::this_thread::get_id()});
} catch (...) {
  return;
}

void end(std::uint64_t graph) noexcept try {
  if (const auto lock = locked(); lock.owns_lock())
    std::erase_if(all().open, [&](const OpenCapture& one) { return one.graph == graph; });
  // What was captured is in the file before the graph runs for the first time.
  if (Session* session = join_session(thread_state())) session->write_captured();
} catch (...) {
  return;
}

void replayed(std::uint64_t graph) noexcept try {
  Session* session = join_session(thread_state());
  if (session == nullptr) return;
  const auto lock = locked();
  const auto found = all().graphs.find(graph);
  if (!lock.owns_lock() || found == all().graphs.end()) return;
  for (const KeyView& key : found->second.order) {
    const CapturedCall& call = *found->second.calls.find(key).value;
    if (const auto known = session->signature({key, *call.op, call.stage, returns_input(key)}))
      session->count_locked(known->id, call.times);
  }
  blind_spots::count(blind_spots::Kind::kGraphReplay);
} catch (...) {
  return;
}

void forget(std::uint64_t graph) noexcept try {
  const auto lock = locked();
  if (lock.owns_lock()) all().graphs.erase(graph);
} catch (...) {
  return;
}

ForkMutex& mutex() { return all().mutex; }

}  // namespace opcov::graph_calls

void opcov_graph_begin(std::uint64_t graph) noexcept { opcov::graph_calls::begin(graph); }
void opcov_graph_end(std::uint64_t graph) noexcept { opcov::graph_calls::end(graph); }
void opcov_graph_replayed(std::uint64_t graph) noexcept { opcov::graph_calls::replayed(graph); }
void opcov_graph_forget(std::uint64_t graph) noexcept { opcov::graph_calls::forget(graph); }
