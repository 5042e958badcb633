// Identifies the format of files that rigcast does not support, so that reports can name it.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// Reports what an unsupported file is: empty, only zeros, a web page, or a file with a known
/// signature. Returns false and reports nothing if the file cannot be identified.
bool reportForeign(Bytes bytes, Diagnostics& diagnostics);

}  // namespace rigcast
