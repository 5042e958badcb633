// Loops over every vertex, index and key of a file. They use raw bytes and are compiled for speed,
// unlike the rest of the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/cast/values.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"

namespace rigcast {

/// Result of copying triangles: the kept indices and the numbers of omitted triangles.
struct TriangleCounts {
    std::uint32_t kept = 0;  // indices
    std::uint32_t outside = 0;
    std::uint32_t degenerate = 0;
};
/// Copies the first `count` indices (whole triangles) of a mesh with `vertices` vertices. Omits
/// triangles with an invalid or repeated vertex. `to` has room for `count`.
TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint16_t* to);
TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint32_t* to);

/// Numbers of triangles that face with and against the normals of their vertices.
struct WindingCounts {
    std::uint64_t with = 0, against = 0;
    /// True if the result of `isAgainst` is certain after a part of `triangles`: one in twenty that
    /// faces with its normals is enough.
    bool isDecided(std::uint64_t triangles) const { return 20 * with >= triangles; }
    /// True if more than 95 % of the triangles that face either way are against their normals.
    bool isAgainst() const { return against * 100 > (with + against) * 95; }
};
/// Counts triangles. Points and normals have three floats each; indices must be in range.
void countWinding(std::span<const std::uint32_t> indices, const std::uint8_t* points, const std::uint8_t* normals, WindingCounts& counts);

/// Reverses the winding of triangles: a b c becomes a c b.
void reverseTriangles(std::span<std::uint16_t> indices);
void reverseTriangles(std::span<std::uint32_t> indices);

/// Fast path of setInfluences for up to four influences per vertex. Requires that weights are
/// finite and not negative, at least one is positive, and those have different bones below
/// `boneCount`. Returns false at the first vertex that does not qualify. Without `weights` each
/// weight is 1. `joints` and `out` have four entries per vertex.
bool copyInfluences(const CastIntegers& bones, const std::uint8_t* weights, std::uint32_t perVertex, std::uint32_t boneCount,
                    std::uint32_t vertices, std::uint16_t* joints, float* out, InfluenceSummary& summary);

/// Expands a box to include points of three floats.
void growBox(const std::uint8_t* points, std::size_t count, FourFloats& low, FourFloats& high);
/// Returns the largest squared distance of the points from `center`.
double farthestSquare(const std::uint8_t* points, std::size_t count, const Vec3& center);
/// Adds points to the boxes of their joints. `joints` and `weights` have four entries per point.
void includeVertices(JointBoxes& boxes, const std::uint8_t* points, const std::uint16_t* joints, const float* weights, std::size_t count);

/// True if all quaternions are of unit length.
bool areUnitRotations(const std::uint8_t* from, std::size_t count);
/// True if all floats are finite.
bool areFinite(const std::uint8_t* from, std::size_t count);
/// True if a quaternion is of unit length within float precision; such quaternions are kept bit by
/// bit.
inline bool isUnit(const float* q) {
    const float off = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1;
    return (off < 0 ? -off : off) < 1e-6f;
}

}  // namespace rigcast
