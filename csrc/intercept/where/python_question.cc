#include "intercept/where/python_question.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/all_signals_blocked.h"
#include "intercept/where/python_api.h"
#include "intercept/where/python_stack.h"

namespace opcov::python {
namespace {

constexpr std::chrono::milliseconds kPatience{500};

std::atomic<std::uint64_t> g_unanswered{0};

/// Between the thread that asks and the one that answers; whoever is last lets go of it.
struct Question {
  enum class State { kAsked, kLooking, kAnswered, kGivenUp };

  std::mutex mutex;
  std::condition_variable changed;
  State state = State::kAsked;
  CallPlace place;

  /// False: it had another state.
  bool change(State from, State to) {
    {
      const std::lock_guard lock(mutex);
      if (state != from) return false;
      state = to;
    }
    changed.notify_all();
    return true;
  }

  /// Waits for it. False: in vain, and nobody will look any more.
  bool is_answered() {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, kPatience, [this] { return state != State::kAsked; })) {
      state = State::kGivenUp;
      return false;
    }
    changed.wait(lock, [this] { return state == State::kAnswered; });
    return true;
  }
};
using State = Question::State;

/// Nothing here may stop an exception that is none: by such a one Python ends a thread that waits for the GIL when the
/// interpreter ends.
void answer(const Api& api, Thread* asking, Question& question) {
  pthread_setname_np(pthread_self(), "opcov-where");
  const int before = api.ensure();
  // From here on the one that asks waits until its frames have been looked at.
  if (question.change(State::kAsked, State::kLooking)) {
    try {
      question.place = place_of(api, asking);
    } catch (const std::exception&) {
      question.place = {};
    }
    question.change(State::kLooking, State::kAnswered);
  }
  api.release(before);
}

CallPlace ask(const Api& api, Thread* asking) {
  const auto question = std::make_shared<Question>();
  std::thread thread;
  {
    const AllSignalsBlocked blocked;
    thread = std::thread([&api, asking, question] { answer(api, asking, *question); });
  }
  if (!question->is_answered()) {
    thread.detach();
    g_unanswered.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  thread.join();
  return std::move(question->place);
}

}  // namespace

CallPlace present_place() {
  const Api* python = api();
  Thread* own = python == nullptr ? nullptr : python->own_thread();
  if (own == nullptr) return {};
  if (python->current_thread() == own) return place_of(*python, own);
  return unanswered() < kMostUnanswered ? ask(*python, own) : CallPlace{};
}

std::uint64_t unanswered() noexcept { return g_unanswered.load(std::memory_order_relaxed); }

}  // namespace opcov::python
