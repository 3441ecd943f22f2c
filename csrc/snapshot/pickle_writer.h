// Writes a pickle piece by piece, in the subset of protocol 2 that torch.load(weights_only=True) and pickle_reader.h
// both take. What belongs into a tuple, list or dict is written between its begin and end.
//
// Threads: one writer belongs to one thread. Errors: throws std::bad_alloc alone. Text is written as it is: readers
// refuse what is no UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opcov {

class PickleWriter {
 public:
  void none() { bytes_ += 'N'; }
  void boolean(bool value) { bytes_ += value ? '\x88' : '\x89'; }
  void integer(std::int64_t value);
  void real(double value);
  void complex(double re, double im);
  void text(std::string_view utf8);
  void global(std::string_view module, std::string_view name);

  void begin_tuple() { bytes_ += '('; }
  void end_tuple() { bytes_ += 't'; }
  void begin_list() { bytes_ += "]("; }
  void end_list() { bytes_ += 'e'; }
  void begin_dict() { bytes_ += "}("; }  // key, value, key, value, ..
  void end_dict() { bytes_ += 'u'; }

  /// Of a function and the tuple of its arguments, which were written last.
  void call() { bytes_ += 'R'; }

  /// Makes what was written last the id of something that stands outside of the pickle.
  void persistent() { bytes_ += 'Q'; }

  /// A tuple of whole numbers.
  void integers(const std::vector<std::int64_t>& values);

  /// What another writer has written, as one value.
  void part(std::string_view bytes) { bytes_ += bytes; }

  /// To be part of another pickle.
  const std::string& bytes() const { return bytes_; }

  /// As a pickle of its own.
  std::string whole() const { return "\x80\x02" + bytes_ + "."; }

 private:
  void little_endian(std::uint64_t value, int bytes);

  std::string bytes_;
};

}  // namespace opcov
