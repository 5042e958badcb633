// What touches every vertex, index and key of a file: straight loops over raw bytes, compiled for speed where all the rest is compiled for size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/cast/values.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"

namespace rigcast {

/// What copying triangles left out.
struct TriangleCounts {
    std::uint32_t kept = 0;  // indices
    std::uint32_t outside = 0;
    std::uint32_t degenerate = 0;
};
/// Copies the first `count` indices (whole triangles) of a mesh of `vertices`, without the triangles that name others or a vertex twice. `to` has
/// room for all.
TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint16_t* to);
TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint32_t* to);

/// How many triangles face with the normals of their vertices, and how many against them.
struct WindingCounts {
    std::uint64_t with = 0, against = 0;
    /// Whether it makes no difference how the rest of so many triangles faces: one in twenty that is with its normals is enough.
    bool isDecided(std::uint64_t triangles) const { return 20 * with >= triangles; }
    /// Whether more than 95 % of those that face anywhere are against their normals.
    bool isAgainst() const { return against * 100 > (with + against) * 95; }
};
/// Counts the triangles between points and normals, three floats each. Indices are in range.
void countWinding(std::span<const std::uint32_t> indices, const std::uint8_t* points, const std::uint8_t* normals, WindingCounts& counts);

/// Turns triangles over: a b c becomes a c b.
void reverseTriangles(std::span<std::uint16_t> indices);
void reverseTriangles(std::span<std::uint32_t> indices);

/// Makes up to four influences per vertex GPU-ready as setInfluences does, where there is nothing to clean: weights are finite and not negative,
/// one of them is positive, those that are name different bones below `boneCount`. False at the first vertex where there is. Without `weights`
/// each is 1. `joints` and `out` have four per vertex.
bool copyInfluences(const CastIntegers& bones, const std::uint8_t* weights, std::uint32_t perVertex, std::uint32_t boneCount,
                    std::uint32_t vertices, std::uint16_t* joints, float* out, InfluenceSummary& summary);

/// Expands a box to include points of three floats.
void growBox(const std::uint8_t* points, std::size_t count, FourFloats& low, FourFloats& high);
/// The square of the largest distance of such points.
double farthestSquare(const std::uint8_t* points, std::size_t count, const Vec3& center);
/// Such points with their four joints and weights.
void includeVertices(JointBoxes& boxes, const std::uint8_t* points, const std::uint16_t* joints, const float* weights, std::size_t count);

/// Whether all quaternions are of unit length.
bool areUnitRotations(const std::uint8_t* from, std::size_t count);
/// Whether all floats are finite.
bool areFinite(const std::uint8_t* from, std::size_t count);
/// Of unit length as far as floats go: such a quaternion stays as it is, to the bit.
inline bool isUnit(const float* q) {
    const float off = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1;
    return (off < 0 ? -off : off) < 1e-6f;
}

}  // namespace rigcast
