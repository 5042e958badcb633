// Up to four influences of a vertex, sorted and written: what nearly every vertex of every file takes. Inline, for passes that are compiled for
// speed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/math.hpp"
#include "scene/lower.hpp"

namespace rigcast {

/// An influence as one integer that holds what sorts: floats that are not negative are ordered as their bits are, then the lower joint comes
/// first.
inline std::uint64_t influenceKey(std::uint32_t weightBits, std::uint32_t joint) {
    return std::uint64_t{weightBits} << 32 | static_cast<std::uint32_t>(~joint);
}

/// Writes four of them, strongest first, with weights that sum to 1. `sum` is what they sum to now.
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

/// What most exporters write, which needs no sorting: four influences from `first` on, of different joints, strongest first, that sum to 1. False, and
/// nothing is written, where it is anything else.
template <class Joint>
inline bool writeSortedFour(const InfluenceRecords& all, std::size_t first, Joint* joints, float* weights) {
    const float a = all.weight(first), b = all.weight(first + 1), c = all.weight(first + 2), d = all.weight(first + 3);
    const std::uint32_t i = all.joint(first), j = all.joint(first + 1), k = all.joint(first + 2), l = all.joint(first + 3);
    const double sum = double{a} + b + c + d;
    const bool isSorted = (a > b) & (b > c) & (c > d) & (d > 0) & (std::fabs(sum - 1) <= 1e-3);
    if (!(isSorted & (i != j) & (i != k) & (i != l) & (j != k) & (j != l) & (k != l))) return false;
    const double scale = 1 / sum;
    joints[0] = static_cast<Joint>(i);
    joints[1] = static_cast<Joint>(j);
    joints[2] = static_cast<Joint>(k);
    joints[3] = static_cast<Joint>(l);
    weights[0] = static_cast<float>(a * scale);
    weights[1] = static_cast<float>(b * scale);
    weights[2] = static_cast<float>(c * scale);
    weights[3] = static_cast<float>(d * scale);
    return true;
}

/// The same of four that lie in vectors, all at once; joints are below `bones`, too.
inline bool writeSorted(const FourFloats& from, const FourWords& all, std::uint32_t bones, std::uint16_t* joints, float* weights) {
    const FourFloats zero = {};
    auto isPlain = (all < bones) & (from > __builtin_shufflevector(from, zero, 1, 2, 3, 4));
    isPlain &= (all != __builtin_shufflevector(all, all, 1, 2, 3, 0)) & (all != __builtin_shufflevector(all, all, 2, 3, 0, 1));
    const double sum = double{from[0]} + from[1] + from[2] + from[3];
    if (!(isPlain[0] & isPlain[1] & isPlain[2] & isPlain[3]) || !(std::fabs(sum - 1) <= 1e-3)) return false;
    const double scale = 1 / sum;
    for (int i = 0; i < 4; ++i) weights[i] = static_cast<float>(from[i] * scale);
    for (int i = 0; i < 4; ++i) joints[i] = static_cast<std::uint16_t>(all[i]);
    return true;
}

/// What nearly every point of every file is, without a list and without branches that depend on the weights: one to four influences from `first` on,
/// positive and finite, of different joints. False, and nothing is written, where there is more to clean. `sum` is what they summed to.
template <class Joint>
inline bool writeFew(const InfluenceRecords& all, std::size_t first, std::size_t count, double& sum, Joint* joints, float* weights) {
    constexpr std::uint64_t nothing = 0xFFFFFFFF;  // joint 0 without weight
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
