// Converts a PSK to a scene.
#pragma once

#include "formats/unreal/chunks.hpp"
#include "formats/unreal/options.hpp"

namespace rigcast::unreal {

ReadResult readPskScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Adds nodes[0], rotated by the options upAxis and yaw, and sets the space of the asset.
void addRoot(const Options& options, Scene& scene);

/// Returns the TypeFlag of the first chunk, which is the only version number in the format (section
/// 1.1).
std::string versionOf(const Directory& directory);

}  // namespace rigcast::unreal
