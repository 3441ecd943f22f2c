// A signature in the form that is compared: without devices, with its digest.
#pragma once

#include <cstddef>
#include <string>

#include "format/strict_json.h"

namespace opcov {

/// Kept as text, which takes a tenth of the memory that the parsed value would: a large job has many thousands.
struct Signature {
  std::string text;    // canonical JSON of exactly args, kwargs, op, output, stage
  std::string digest;  // SHA-256 of the text
  std::string op;
  std::string stage;

  Json value() const { return parse_strict(text); }
};

/// The first digits of a digest, as many as names of snapshots hold.
inline constexpr std::size_t kShortDigest = 16;

/// Checks the shape of a recorded signature, takes the devices out and computes the digest. Throws FormatError.
Signature make_signature(Json recorded);

/// Throws FormatError unless the keys and their types are a signature's; where `partial`, output and stage may be
/// absent.
void check_signature_shape(const Json& signature, bool partial);

/// Takes "device" out of every tensor object in args, output and the values of kwargs. The kwargs object itself may
/// look like a tensor ({"dtype":..,"layout":..,"device":..} of a factory) and is none.
void remove_devices(Json& signature);

/// Where an object of args, kwargs' values or output describes a tensor.
bool is_tensor(const Json& value);

}  // namespace opcov
