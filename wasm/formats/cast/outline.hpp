#pragma once

#include "core/outline.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// One node a Cast node, one field a property; `size` is the stored NodeSize.
void outlineCast(const CastDocument& document, Outline& outline);

}  // namespace rigcast
