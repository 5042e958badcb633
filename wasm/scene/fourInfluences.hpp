// Up to four influences of a vertex, sorted and written: what nearly every vertex of every file takes. Inline, for passes that are compiled for
// speed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/bytes.hpp"

namespace rigcast {

/// An influence as one integer that holds what sorts: floats that are not negative are ordered as their bits are, then the lower joint comes
/// first.
inline std::uint64_t influenceKey(std::uint32_t weightBits, std::uint32_t joint) {
    return std::uint64_t{weightBits} << 32 | static_cast<std::uint32_t>(~joint);
}

/// Writes four of them, strongest first, with weights that sum to 1. `sum` is what they sum to now.
inline void writeFour(std::uint64_t (&keys)[4], double sum, std::uint16_t* joints, float* weights) {
    const auto order = [&](std::size_t a, std::size_t b) {
        const std::uint64_t stronger = std::max(keys[a], keys[b]), weaker = std::min(keys[a], keys[b]);
        keys[a] = stronger;
        keys[b] = weaker;
    };
    if (!(keys[0] > keys[1] && keys[1] > keys[2] && keys[2] > keys[3])) {
        order(0, 1);
        order(2, 3);
        order(0, 2);
        order(1, 3);
        order(1, 2);
    }
    const double scale = 1 / sum;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
        joints[i] = static_cast<std::uint16_t>(~keys[i]);
        weights[i] = static_cast<float>(bitCast<float>(static_cast<std::uint32_t>(keys[i] >> 32)) * scale);
    }
}

}  // namespace rigcast
