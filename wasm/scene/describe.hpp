// Describes a scene as JSON. Data that grows with the file stays in the arena; nodes and tracks are
// tables there.
#pragma once

#include <span>
#include <string>

#include "core/diagnostics.hpp"
#include "core/outline.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Returns JSON of `scene` (null if nothing could be read), the report and the required files.
/// `references` are those of the scene, and exist even if the scene is missing. Adds blocks to
/// `arena` for the node table and the track table of every clip. web/src/core/description.ts
/// decodes this layout.
std::string describe(const Scene* scene, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                     std::string_view format, std::string_view version);

/// Returns JSON of `{format, version, outline, references, report}`. Bytes of
/// OutlineField::expanded go to `arena`.
std::string describeOutline(const Outline& outline, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                            std::string_view format, std::string_view version);

}  // namespace rigcast
