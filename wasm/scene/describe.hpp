// The scene as one JSON description; everything that grows with the file stays in the arena, nodes and tracks as tables.
#pragma once

#include <span>
#include <string>

#include "core/diagnostics.hpp"
#include "core/outline.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// JSON of `scene` (null where nothing could be read), its report and what it needs from outside: `references` are the scene's own, which
/// there are even where the scene itself could not be made. Adds blocks for the node table and every clip's track table to `arena`. The
/// layout is documented by its reader: web/src/core/description.ts.
std::string describe(const Scene* scene, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                     std::string_view format, std::string_view version);

/// JSON of `{format, version, outline, references, report}`. Bytes that do not lie in the file (OutlineField::expanded) go to `arena`.
std::string describeOutline(const Outline& outline, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                            std::string_view format, std::string_view version);

}  // namespace rigcast
