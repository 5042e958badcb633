// Files that people give and that rigcast does not read: what they are, and what to do about it.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// A finding about bytes that no format knows: an empty file, zeros, a web page, or something with a known signature. False where they
/// are none of these.
bool reportForeign(Bytes bytes, Diagnostics& diagnostics);

}  // namespace rigcast
