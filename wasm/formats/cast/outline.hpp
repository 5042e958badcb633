#pragma once

#include "core/outline.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// Adds an outline node for each Cast node, and a field for each property. `OutlineNode::size` is
/// NodeSize as stored.
void outlineCast(const CastDocument& document, Outline& outline);

}  // namespace rigcast
