// What of a motion need not be in memory to know all about it but its values.
#pragma once

#include "core/source.hpp"

namespace rigcast {

/// Values of a curve that take so many bytes are read through windows, and stay in the file until somebody wants them.
inline constexpr std::size_t castFarSize = 4096;

/// Whether a file begins with a motion whose curves are long.
bool isLongCastMotion(Bytes head);

/// Brings all but such values where nodes, properties and their sizes are as they should be, else all.
void bringCastIndex(Source& source, Bytes bytes);

}  // namespace rigcast
