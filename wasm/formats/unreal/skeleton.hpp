// Converts the reference skeleton of a PSK.
#pragma once

#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"

namespace rigcast::unreal {

/// Adds the bones as nodes below node 0, and a skin with all bones. Bone b is node 1 + b; parents
/// may follow their children. Returns the index of the skin, or `none` if there are no bones or the
/// budget is exceeded.
std::uint32_t addSkeleton(const Psk& psk, const Options& options, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Returns the rest transform of a bone in REFSKELT or BONENAMES, relative to its parent. Replaces
/// damaged values and reports them under `path`.
Transform readRest(const Records& bones, std::size_t bone, const Options& options, std::string_view path, Diagnostics& diagnostics);

/// Maximum number of bones of a skin, because joint indices have 16 bits.
inline constexpr std::size_t boneLimit = 65536;

}  // namespace rigcast::unreal
