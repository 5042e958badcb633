// Explains to the user which other format a file has.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// Reports what a file of an unknown format is: empty, zeros, a web page, or a file with a known
/// signature. Returns false and reports nothing if it cannot be identified.
bool reportForeign(Bytes bytes, Diagnostics& diagnostics);

}  // namespace rigcast
