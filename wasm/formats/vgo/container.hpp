// Container of a VGO file: header, index and composer (vgo.md section 1).
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

/// Returns the n-th letter of a type id.
inline char vgoLetter(std::uint32_t type, int n) { return static_cast<char>(type >> (8 * n)); }

/// Reads the header, the chunks in file order and the slots of the composer. Returns false, with a
/// finding, if a chunk is missing that the scene needs.
bool readVgoContainer(const Input& input, VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
