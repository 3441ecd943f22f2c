// Stages: the parts of a program that calls belong to, such as "dit", "vae", "output".
//
//     { opcov::StageScope stage("vae"); decoded = vae.decode(latents); }
//
// Threads: a scope holds for the thread that made it, and must end there. Scopes nest, the innermost wins, and leaving
// one by an exception restores the one around it. Cheap enough to stand where nothing is recorded: one lookup.
#pragma once

#include <cstdint>
#include <string_view>

#include "opcov/opcov.h"

namespace opcov {

class OPCOV_EXPORT StageScope {
 public:
  /// Names hold no '=' and no ',': such a name is taken with these replaced by '_'.
  explicit StageScope(std::string_view name) noexcept;
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  std::uint32_t outer_;
};

}  // namespace opcov

/// For other languages: enters a stage on this thread and returns what opcov_leave_stage() wants to restore the one
/// around it. `name`: UTF-8, ended by a zero byte.
extern "C" OPCOV_EXPORT std::uint32_t opcov_enter_stage(const char* name) noexcept;
extern "C" OPCOV_EXPORT void opcov_leave_stage(std::uint32_t outer) noexcept;
