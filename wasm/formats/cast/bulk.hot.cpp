#include "formats/cast/bulk.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "scene/fourInfluences.hpp"

namespace rigcast {

namespace {

/// Writes the valid triangles without branches: writes every triangle, but overwrites an invalid
/// one with the next triangle.
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

template <class Index>
void reverse(std::span<Index> indices) {
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) std::swap(indices[i + 1], indices[i + 2]);
}

constexpr std::size_t four = 4;

/// Copies influences of vertices. Always loads four bytes for a bone index, so four bytes must be
/// readable at each index, whatever its width.
bool copySome(const std::uint8_t* bones, std::size_t width, const std::uint8_t* weights, std::uint32_t perVertex, std::uint32_t boneCount,
              std::size_t vertices, std::uint16_t* joints, float* out, InfluenceSummary& summary) {
    const std::uint32_t mask = width == 4 ? 0xFFFFFFFFu : (1u << 8 * width) - 1;
    // Always processes four influences. Missing influences repeat the last bone with weight 0.
    std::uint32_t kept[four];
    std::size_t places[four];
    for (std::size_t i = 0; i < four; ++i) {
        kept[i] = i < perVertex ? 0xFFFFFFFF : 0;
        places[i] = std::min<std::size_t>(i, perVertex - 1);
    }
    constexpr std::uint32_t whole = 0x3F800000;  // bits of 1.0f
    std::uint8_t one[4];
    std::memcpy(one, &whole, 4);
    const std::size_t step = weights ? std::size_t{perVertex} * 4 : 0;
    if (!weights) weights = one;
    std::uint32_t maximum = summary.maximum, notNormalized = 0;
    bool isClean = true;
    const auto copySorted = [&](std::uint16_t* toJoints, float* toWeights) {
        const FourWords own = {loadValue<std::uint32_t>(bones) & mask, loadValue<std::uint32_t>(bones + width) & mask,
                               loadValue<std::uint32_t>(bones + 2 * width) & mask, loadValue<std::uint32_t>(bones + 3 * width) & mask};
        return writeSorted(loadValue<FourFloats>(weights), own, boneCount, toJoints, toWeights);
    };
    const bool mayBeSorted = step == sizeof(FourFloats);
    for (std::size_t vertex = 0; vertex < vertices && isClean; ++vertex, bones += perVertex * width, weights += step) {
        if (mayBeSorted && copySorted(joints + vertex * four, out + vertex * four)) {
            maximum = four;
            continue;
        }
        // Gives influences with weight 0 distinct, invalid joints, because vertices with equal
        // joints are rejected. Only the lower 16 bits of joints are written, and those of the
        // invalid joints are 0.
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
    }
    summary.notNormalized += notNormalized;
    summary.maximum = maximum;
    return isClean;
}

}  // namespace

// Not inlined, because the callers are compiled for size.
[[gnu::noinline]] void reverseTriangles(std::span<std::uint16_t> indices) { reverse(indices); }
void reverseTriangles(std::span<std::uint32_t> indices) { reverse(indices); }

[[gnu::noinline]] void countWinding(std::span<const std::uint32_t> indices, const std::uint8_t* points, const std::uint8_t* normals,
                                    WindingCounts& counts) {
    struct Floats {
        float at[3];
    };
    const auto load = [](const std::uint8_t* from, std::uint32_t i) { return loadValue<Floats>(from + std::size_t{i} * sizeof(Floats)); };
    std::uint64_t with = 0, against = 0;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const auto [a] = load(points, indices[i]);
        const auto [b] = load(points, indices[i + 1]);
        const auto [c] = load(points, indices[i + 2]);
        const Floats n[3] = {load(normals, indices[i]), load(normals, indices[i + 1]), load(normals, indices[i + 2])};
        const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2], vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
        const float along = (uy * vz - uz * vy) * (n[0].at[0] + n[1].at[0] + n[2].at[0]) +
                            (uz * vx - ux * vz) * (n[0].at[1] + n[1].at[1] + n[2].at[1]) +
                            (ux * vy - uy * vx) * (n[0].at[2] + n[1].at[2] + n[2].at[2]);
        with += along > 0;
        against += along < 0;
    }
    counts.with += with;
    counts.against += against;
}

TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint16_t* to) {
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
    // Reads the last vertices from a padded copy, because each load reads four bytes.
    const std::uint32_t last = std::min(vertices, 4u), before = vertices - last;
    const std::size_t at = std::size_t{before} * perVertex;
    std::uint8_t copy[four * four * 4 + 4] = {};
    std::memcpy(copy, bones.payload().data() + at * width, last * perVertex * width);
    return copySome(bones.payload().data(), width, weights, perVertex, boneCount, before, joints, out, summary) &&
           copySome(copy, width, weights ? weights + at * 4 : nullptr, perVertex, boneCount, last, joints + std::size_t{before} * four,
                    out + std::size_t{before} * four, summary);
}

[[gnu::noinline]] void growBox(const std::uint8_t* points, std::size_t count, FourFloats& low, FourFloats& high) {
    FourFloats least = low, most = high;
    for (std::size_t i = 0; i < count; ++i) {
        float at[3];
        std::memcpy(at, points + i * sizeof at, sizeof at);
        const FourFloats position = {at[0], at[1], at[2], 0};
        least = position < least ? position : least;
        most = position > most ? position : most;
    }
    low = least;
    high = most;
}

[[gnu::noinline]] double farthestSquare(const std::uint8_t* points, std::size_t count, const Vec3& center) {
    double squared = 0;
    for (std::size_t i = 0; i < count; ++i) {
        float at[3];
        std::memcpy(at, points + i * sizeof at, sizeof at);
        const Vec3 out = Vec3{at[0], at[1], at[2]} - center;
        squared = std::max(squared, dot(out, out));
    }
    return squared;
}

[[gnu::noinline]] void includeVertices(JointBoxes& boxes, const std::uint8_t* points, const std::uint16_t* joints, const float* weights,
                                       std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        float at[3];
        std::memcpy(at, points + i * sizeof at, sizeof at);
        const FourFloats position[3] = {{at[0], at[0], at[0], at[0]}, {at[1], at[1], at[1], at[1]}, {at[2], at[2], at[2], at[2]}};
        for (std::size_t k = four * i; k < four * i + four && weights[k] > 0; ++k) boxes.include(joints[k], position);
    }
}

[[gnu::noinline]] bool areUnitRotations(const std::uint8_t* from, std::size_t count) {
    bool areUnit = true;
    for (std::size_t i = 0; i < count; ++i) {
        float quat[4];
        std::memcpy(quat, from + i * sizeof quat, sizeof quat);
        areUnit &= isUnit(quat);
    }
    return areUnit;
}

[[gnu::noinline]] bool areFinite(const std::uint8_t* from, std::size_t count) {
    constexpr std::uint32_t exponent = 0x7F800000;  // all bits set: infinity or NaN
    using Four [[gnu::vector_size(16)]] = std::uint32_t;
    Four found = {};
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        Four bits;
        std::memcpy(&bits, from + i * 4, sizeof bits);
        found |= static_cast<Four>((bits & exponent) == exponent);
    }
    bool areAll = (found[0] | found[1] | found[2] | found[3]) == 0;
    for (; i < count; ++i) areAll &= std::isfinite(loadValue<float>(from + i * 4));
    return areAll;
}

}  // namespace rigcast
