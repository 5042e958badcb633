// Explains files of other formats to the user.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// Reports bytes that no format recognizes: an empty file, zeros, a web page, or a known signature.
/// Returns false, without a finding, for all other bytes.
bool reportForeign(Bytes bytes, Diagnostics& diagnostics);

}  // namespace rigcast
