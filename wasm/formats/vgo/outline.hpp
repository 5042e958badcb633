// Converts a VGO file to an outline with one node per chunk and, in the accessor chunk, one node
// per accessor.
#pragma once

#include "core/outline.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

void outlineVgo(const VgoDocument& document, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast
