#pragma once

#include "core/outline.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// Adds an outline node per Cast node and a field per property. `size` is the stored NodeSize.
void outlineCast(const CastDocument& document, Outline& outline);

}  // namespace rigcast
