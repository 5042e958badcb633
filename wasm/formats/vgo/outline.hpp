// A VGO file as a tree: one node a chunk, under the accessor chunk one node an accessor.
#pragma once

#include "core/outline.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

void outlineVgo(const VgoDocument& document, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast
