#include "intercept/thread_state.h"

#include <pthread.h>

#include <array>
#include <string_view>

namespace opcov {

thread_local constinit ThreadState t_state;

bool is_communication_thread(ThreadState& thread) {
  if (thread.kind == ThreadKind::kUnknown) {
    constexpr std::array<std::string_view, 5> kNames = {"pt_gloo_", "pt_nccl_", "pt_tcpst", "pt_dist_", "pt_ucc_"};
    std::array<char, 16> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    thread.kind = ThreadKind::kHost;
    for (const std::string_view prefix : kNames)
      if (std::string_view(name.data()).starts_with(prefix)) thread.kind = ThreadKind::kCommunication;
  }
  return thread.kind == ThreadKind::kCommunication;
}

}  // namespace opcov
