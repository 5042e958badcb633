// What of a file need not be in memory to know all about it but the values of its long arrays.
#pragma once

#include "core/source.hpp"

namespace rigcast {

/// Values of a curve, and arrays of a mesh, that take so many bytes are read through windows; the values stay in the file until somebody wants them.
inline constexpr std::size_t castFarSize = isUnderSanitizer ? 256 : 4096;

/// Whether a file is large, and begins with a motion or a model.
bool isLargeCast(Bytes head);

/// Brings all but such arrays, and curves that are read one behind the other, where nodes, properties and their sizes are as they should be, else all.
void bringCastIndex(Source& source, Bytes bytes);

}  // namespace rigcast
