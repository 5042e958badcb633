// Outline of a VGO file: a node per chunk; in the accessor chunk, a node per accessor.
#pragma once

#include "core/outline.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

void outlineVgo(const VgoDocument& document, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast
