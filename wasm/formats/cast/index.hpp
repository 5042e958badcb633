// Loads the index of a Cast file: all its bytes except the values of long arrays.
#pragma once

#include "core/source.hpp"

namespace rigcast {

/// Minimum size in bytes of curve values and mesh arrays that are read in windows instead of being
/// loaded.
inline constexpr std::size_t castFarSize = isUnderSanitizer ? 256 : 4096;

/// Returns true if the first root is large and its first node, apart from metadata, is an animation
/// or a model.
bool isLargeCast(Bytes head);

/// Loads the file into memory, except long arrays and runs of consecutive curves. If nodes,
/// properties or sizes are irregular, loads the entire file.
void loadCastIndex(Source& source, Bytes bytes);

}  // namespace rigcast
