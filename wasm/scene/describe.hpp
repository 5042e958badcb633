// Describes a scene as JSON. Arrays stay in the arena, and the JSON contains their offsets. Nodes
// and tracks are written to the arena as tables.
#pragma once

#include <span>
#include <string>

#include "core/diagnostics.hpp"
#include "core/outline.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Returns a JSON object with the scene (null if the file has no readable content), the report and
/// the `references` to other files. Adds blocks to `arena` for the table of nodes and for the table
/// of tracks of every clip. web/src/core/description.ts decodes the result.
std::string describe(const Scene* scene, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                     std::string_view format, std::string_view version);

/// Returns a JSON object with format, version, outline, references and report. Copies the bytes of
/// each OutlineField::expanded to `arena`.
std::string describeOutline(const Outline& outline, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                            std::string_view format, std::string_view version);

}  // namespace rigcast
