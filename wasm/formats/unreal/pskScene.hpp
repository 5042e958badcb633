// From a PSK to a scene.
#pragma once

#include "formats/unreal/chunks.hpp"
#include "formats/unreal/options.hpp"

namespace rigcast::unreal {

ReadResult readPskScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Unreal's rotator (pitch, yaw, roll in degrees) to a quaternion of its left-handed space, mirrored to file space (section 6.4).
Quat rotatorToFile(const Vec3& degrees);

/// nodes[0], turned as options upAxis and yaw say, and what the asset says of its space.
void addRoot(const Options& options, Scene& scene);

/// The head chunk's TypeFlag: the only version number there is, and it means little (section 1.1).
std::string versionOf(const Directory& directory);

}  // namespace rigcast::unreal
