#include "intercept/where/where.h"

#include "format/call_place.h"
#include "intercept/run_facts.h"
#include "intercept/session.h"
#include "intercept/where/native_stack.h"
#include "intercept/where/python_question.h"

namespace opcov {
namespace {

CallPlace present_place() {
  CallPlace place = python::present_place();
  // A thread of a Python program may run nothing of Python, and then has C++ frames of the program's at best.
  if (!place.is_known()) place = native_place();
  if (place.is_known()) place.backward = in_backward();
  return place;
}

void note_unanswered(Session& session) {
  if (const std::uint64_t times = python::unanswered(); times > 0)
    session.note("no_python_place",
                 "Python's lock was not free within half a second of a first call; after three times nobody asks where "
                 "calls are made",
                 times);
}

}  // namespace

std::string where_of_new(Session& session, const KeyView& key) noexcept try {
  if (!session.config().where || !session.is_new(key)) return {};
  const CallPlace place = present_place();
  note_unanswered(session);
  if (!place.is_known()) return {};
  // As the recorder's other lines: names of files may hold bytes that are no UTF-8.
  return place_json(place).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
} catch (...) {
  return {};
}

}  // namespace opcov
