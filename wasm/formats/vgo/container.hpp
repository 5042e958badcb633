// The container of a VGO file: header, index and composer (vgo.md section 1).
#pragma once

#include "core/diagnostics.hpp"
#include "formats/format.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

/// The n-th letter of a type id.
inline char vgoLetter(std::uint32_t type, int n) { return static_cast<char>(type >> (8 * n)); }

/// Fills in what the header says, the chunks with their payloads, in the order of the file, and the composer's slots. False where one of the chunks
/// that a scene is made of is missing; `diagnostics` says which.
bool readVgoContainer(const Input& input, VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
