// The reference skeleton of a PSK.
#pragma once

#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"

namespace rigcast::unreal {

/// Adds the bones as nodes below node 0 (bone b is node 1 + b; parents may still come after children), and a skin of all of them whose bind matrices are the
/// inverses of their rest matrices. The skin's index; `none` where there are no bones or the arena is spent.
std::uint32_t addSkeleton(const Psk& psk, const Options& options, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Where a bone of REFSKELT or BONENAMES lies at rest, seen from its parent. What is damaged there is replaced and told under `path`.
Transform readRest(const Records& bones, std::size_t bone, const Options& options, std::string_view path, Diagnostics& diagnostics);

/// How many bones a skin can name with 16-bit joints.
inline constexpr std::size_t boneLimit = 65536;

}  // namespace rigcast::unreal
