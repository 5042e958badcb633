// Reference skeleton of a PSK.
#pragma once

#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"

namespace rigcast::unreal {

/// Adds the bones as nodes below node 0 (bone b is node 1 + b; parents may come after children),
/// and a skin with all bones whose bind matrices are the inverses of their rest matrices. Returns
/// the skin's index, or `none` if there are no bones or the budget is exceeded.
std::uint32_t addSkeleton(const Psk& psk, const Options& options, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Returns the rest transform of a bone of REFSKELT or BONENAMES, relative to its parent. Replaces
/// damaged values and reports them under `path`.
Transform readRest(const Records& bones, std::size_t bone, const Options& options, std::string_view path, Diagnostics& diagnostics);

/// Maximum bones of a skin with 16-bit joint indices.
inline constexpr std::size_t boneLimit = 65536;

}  // namespace rigcast::unreal
