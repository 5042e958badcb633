// Fast paths for vertices with up to four influences, which almost all vertices have. The functions
// are inline, so that they are compiled as part of *.hot.cpp files, the only ones that are
// optimized for speed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/math.hpp"
#include "scene/lower.hpp"

namespace rigcast {

/// Returns a sort key for an influence, which is larger for larger weights and, if weights are
/// equal, for lower joint indices. Works because non-negative floats have the same order as their
/// bits.
inline std::uint64_t influenceKey(std::uint32_t weightBits, std::uint32_t joint) {
    return std::uint64_t{weightBits} << 32 | static_cast<std::uint32_t>(~joint);
}

/// Writes four influences, strongest first, with weights scaled to a sum of 1. `sum`: sum of the
/// weights before scaling.
template <class Joint>
inline void writeFour(std::uint64_t (&keys)[4], double sum, Joint* joints, float* weights) {
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
        joints[i] = static_cast<Joint>(~keys[i]);
        weights[i] = static_cast<float>(bitCast<float>(static_cast<std::uint32_t>(keys[i] >> 32)) * scale);
    }
}

/// Copies four influences and scales their weights to a sum of 1. Requires different joints below
/// `bones` and positive, strictly descending weights with a sum of about 1, as most exporters write
/// them; otherwise returns false and writes nothing.
template <class Joint>
inline bool writeSorted(const FourFloats& from, const FourWords& all, std::uint32_t bones, Joint* joints, float* weights) {
    const FourFloats zero = {};
    auto isPlain = (all < bones) & (from > __builtin_shufflevector(from, zero, 1, 2, 3, 4));
    isPlain &= (all != __builtin_shufflevector(all, all, 1, 2, 3, 0)) & (all != __builtin_shufflevector(all, all, 2, 3, 0, 1));
    const double sum = double{from[0]} + from[1] + from[2] + from[3];
    if (!(isPlain[0] & isPlain[1] & isPlain[2] & isPlain[3]) || !(std::fabs(sum - 1) <= 1e-3)) return false;
    const double scale = 1 / sum;
    for (int i = 0; i < 4; ++i) weights[i] = static_cast<float>(from[i] * scale);
    for (int i = 0; i < 4; ++i) joints[i] = static_cast<Joint>(all[i]);
    return true;
}

/// Calls `writeSorted` with the four influences that start at `first`.
template <class Joint>
inline bool writeSortedFour(const InfluenceRecords& all, std::size_t first, std::uint32_t bones, Joint* joints, float* weights) {
    const FourFloats from = {all.weight(first), all.weight(first + 1), all.weight(first + 2), all.weight(first + 3)};
    const FourWords own = {all.joint(first), all.joint(first + 1), all.joint(first + 2), all.joint(first + 3)};
    return writeSorted(from, own, bones, joints, weights);
}

/// Sorts and writes one to four influences that start at `first`. Returns false and writes nothing
/// if a weight is not positive and finite, or if two joints are equal. Sets `sum` to the sum of the
/// weights before scaling.
template <class Joint>
inline bool writeFew(const InfluenceRecords& all, std::size_t first, std::size_t count, double& sum, Joint* joints, float* weights) {
    constexpr std::uint64_t nothing = 0xFFFFFFFF;  // joint 0, weight 0
    std::uint64_t keys[4] = {nothing, nothing, nothing, nothing};
    sum = 0;
    bool isClean = true;
    for (std::size_t i = 0; i < count; ++i) {
        const float weight = all.weight(first + i);
        const auto bits = bitCast<std::uint32_t>(weight);
        isClean &= bits - 1 < 0x7F7FFFFF;
        keys[i] = influenceKey(bits, all.joint(first + i));
        sum += weight;
        for (std::size_t j = 0; j < i; ++j) isClean &= static_cast<std::uint32_t>(keys[j]) != static_cast<std::uint32_t>(keys[i]);
    }
    if (isClean) writeFour(keys, sum, joints, weights);
    return isClean;
}

}  // namespace rigcast
