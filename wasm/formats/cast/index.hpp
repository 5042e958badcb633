// Index of a file: all data except the values of long arrays.
#pragma once

#include "core/source.hpp"

namespace rigcast {

/// Minimum bytes of curve values and mesh arrays that are read through windows. The file keeps them
/// until they are requested.
inline constexpr std::size_t castFarSize = isUnderSanitizer ? 256 : 4096;

/// True if the file is large and starts with an animation or a model.
bool isLargeCast(Bytes head);

/// Reads the file into memory, except long arrays and runs of curves. Reads everything if nodes,
/// properties or sizes are irregular.
void loadCastIndex(Source& source, Bytes bytes);

}  // namespace rigcast
