#pragma once

#include "core/outline.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// Adds an outline node for each Cast node and a field for each property. The `size` of an outline
/// node is the stored NodeSize.
void outlineCast(const CastDocument& document, Outline& outline);

}  // namespace rigcast
