// Reads the container of a VGO file: header, index and composer (vgo.md section 1).
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

/// Returns letter `n` (0 to 3) of a type id.
inline char vgoLetter(std::uint32_t type, int n) { return static_cast<char>(type >> (8 * n)); }

/// Reads the header, the chunks in file order and the slots of the composer. Returns false and
/// reports a finding if the scene needs a chunk that is missing.
bool readVgoContainer(const Input& input, VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
