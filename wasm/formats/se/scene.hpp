// Converts SEModel and SEAnim documents to a scene.
#pragma once

#include "core/outline.hpp"
#include "formats/se/document.hpp"
#include "formats/space.hpp"

namespace rigcast {

/// Converts a model to a scene that contains only nodes[0].
void addSeModel(const SeModel& model, Scene& scene, Arena& arena, Diagnostics& diagnostics);
void addSeAnim(const SeAnim& anim, const FileSpace& space, Scene& scene, Arena& arena, Diagnostics& diagnostics);

void outlineSeModel(const SeModel& model, Outline& outline);
void outlineSeAnim(const SeAnim& anim, Outline& outline);

/// Normalizes a quaternion of the file. Reports damage.
Quat unitRotation(const Quat& value, std::uint64_t offset, std::string_view path, Diagnostics& diagnostics);

}  // namespace rigcast
