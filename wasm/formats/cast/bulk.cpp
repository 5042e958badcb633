#include "formats/cast/bulk.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scene/fourInfluences.hpp"

namespace rigcast {

namespace {

/// One pass: bad triangles are written like the good ones and then overwritten.
template <class Index>
TriangleCounts copyTrianglesAs(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, Index* to) {
    TriangleCounts counts;
    const auto copy = [&](auto at) {
        for (std::uint32_t i = 0; i < count; i += 3) {
            const std::uint32_t a = at(i), b = at(i + 1), c = at(i + 2);
            Index* out = to + counts.kept;
            out[0] = static_cast<Index>(a);
            out[1] = static_cast<Index>(b);
            out[2] = static_cast<Index>(c);
            const bool isOutside = std::max(std::max(a, b), c) >= vertices;
            const bool isDegenerate = ((a == b) + (b == c) + (c == a)) != 0;
            counts.outside += isOutside;
            counts.degenerate += !isOutside && isDegenerate;
            counts.kept += isOutside || isDegenerate ? 0 : 3;
        }
    };
    const std::uint8_t* data = from.payload().data();
    if (from.type() == (sizeof(Index) == 2 ? CastType::u16 : CastType::u32))
        copy([data](std::size_t i) -> std::uint32_t { return loadValue<Index>(data + i * sizeof(Index)); });
    else
        copy([&from](std::uint32_t i) { return from[i]; });
    return counts;
}

constexpr std::size_t four = 4;

/// Vertices whose bones can be read four bytes at a time, whatever their width.
bool copySome(const std::uint8_t* bones, std::size_t width, const std::uint8_t* weights, std::uint32_t perVertex, std::uint32_t boneCount,
              std::size_t vertices, std::uint16_t* joints, float* out, InfluenceSummary& summary) {
    const std::uint32_t mask = width == 4 ? 0xFFFFFFFFu : (1u << 8 * width) - 1;
    // Always four: what a vertex does not have is read from its last one, and weighs nothing.
    std::uint32_t kept[four];
    std::size_t places[four];
    for (std::size_t i = 0; i < four; ++i) {
        kept[i] = i < perVertex ? 0xFFFFFFFF : 0;
        places[i] = std::min<std::size_t>(i, perVertex - 1);
    }
    constexpr std::uint32_t whole = 0x3F800000;  // 1
    std::uint8_t one[4];
    std::memcpy(one, &whole, 4);
    const std::size_t step = weights ? std::size_t{perVertex} * 4 : 0;
    if (!weights) weights = one;
    std::uint32_t maximum = summary.maximum, notNormalized = 0;
    bool isClean = true;
    for (std::size_t vertex = 0; vertex < vertices && isClean; ++vertex) {
        // What weighs nothing names joints that do not exist, each another one, and joint 0 in its lower half.
        std::uint64_t keys[four];
        std::uint32_t used = 0;
        double sum = 0;
#pragma GCC unroll 4
        for (std::size_t i = 0; i < four; ++i) {
            const std::uint32_t bits = loadValue<std::uint32_t>(weights + places[i] * 4) & kept[i];
            const std::uint32_t joint = loadValue<std::uint32_t>(bones + places[i] * width) & mask;
            const bool isUsed = bits != 0;
            isClean &= !isUsed || ((bits < 0x7F800000) & (joint < boneCount));
            keys[i] = influenceKey(bits, isUsed ? joint : static_cast<std::uint32_t>(i + 1) << 16);
            sum += bitCast<float>(bits);
            used += isUsed;
        }
        const auto isSame = [&](std::size_t a, std::size_t b) -> std::uint32_t {
            return static_cast<std::uint32_t>(keys[a]) == static_cast<std::uint32_t>(keys[b]);
        };
        isClean &= used != 0;
        isClean &= !(isSame(0, 1) | isSame(0, 2) | isSame(0, 3) | isSame(1, 2) | isSame(1, 3) | isSame(2, 3));
        writeFour(keys, sum, joints + vertex * four, out + vertex * four);
        notNormalized += std::fabs(sum - 1) > 1e-3;
        maximum = std::max(maximum, used);
        bones += perVertex * width;
        weights += step;
    }
    summary.notNormalized += notNormalized;
    summary.maximum = maximum;
    return isClean;
}

}  // namespace

// Not inlined into callers that are compiled for size.
[[gnu::noinline]] bool copyFloats(const std::uint8_t* from, std::size_t count, float* to) {
    constexpr std::uint32_t exponent = 0x7F800000;  // all of it: infinite, or not a number
    std::size_t i = 0;
    using Vector [[gnu::vector_size(16)]] = std::uint32_t;
    Vector found = {};
    for (; i + 4 <= count; i += 4) {
        Vector bits;
        std::memcpy(&bits, from + i * 4, sizeof bits);
        std::memcpy(to + i, &bits, sizeof bits);
        found |= static_cast<Vector>((bits & exponent) == exponent);
    }
    bool isBad = (found[0] | found[1] | found[2] | found[3]) != 0;
    for (; i < count; ++i) {
        to[i] = loadValue<float>(from + i * 4);
        isBad |= !std::isfinite(to[i]);
    }
    return !isBad;
}

[[gnu::noinline]] TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint16_t* to) {
    return copyTrianglesAs(from, count, vertices, to);
}

[[gnu::noinline]] TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint32_t* to) {
    return copyTrianglesAs(from, count, vertices, to);
}

[[gnu::noinline]] bool copyInfluences(const CastIntegers& bones, const std::uint8_t* weights, std::uint32_t perVertex,
                                      std::uint32_t boneCount, std::uint32_t vertices, std::uint16_t* joints, float* out,
                                      InfluenceSummary& summary) {
    if (perVertex == 0 || perVertex > four || !(castMask(bones.type()) & castIntegers)) return false;
    const std::size_t width = infoOf(bones.type()).size;
    // The last ones are read out of a copy with room behind them.
    const std::uint32_t last = std::min(vertices, 4u), before = vertices - last;
    const std::size_t at = std::size_t{before} * perVertex;
    std::uint8_t copy[four * four * 4 + 4] = {};
    std::memcpy(copy, bones.payload().data() + at * width, last * perVertex * width);
    return copySome(bones.payload().data(), width, weights, perVertex, boneCount, before, joints, out, summary) &&
           copySome(copy, width, weights ? weights + at * 4 : nullptr, perVertex, boneCount, last, joints + std::size_t{before} * four,
                    out + std::size_t{before} * four, summary);
}

[[gnu::noinline]] bool copyUnitRotations(const std::uint8_t* from, std::size_t count, float* to) {
    std::memcpy(to, from, count * 16);
    bool areUnit = true;
    for (std::size_t i = 0; i < count; ++i) areUnit &= isUnit(to + i * 4);
    return areUnit;
}

}  // namespace rigcast
