// From a PSK to a scene.
#pragma once

#include "formats/unreal/chunks.hpp"
#include "formats/unreal/options.hpp"

namespace rigcast::unreal {

ReadResult readPskScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// nodes[0], turned as options upAxis and yaw say, and what the asset says of its space.
void addRoot(const Options& options, Scene& scene);

/// The head chunk's TypeFlag: the only version number there is, and it means little (section 1.1).
std::string versionOf(const Directory& directory);

}  // namespace rigcast::unreal
