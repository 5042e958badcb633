// Functions that process every vertex, index and key of a file. They read raw bytes and are
// compiled for speed (*.hot.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/cast/values.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"

namespace rigcast {

/// Result of `copyTriangles`: counts of copied indices and, for each reason, of omitted triangles.
struct TriangleCounts {
    std::uint32_t kept = 0;  // number of copied indices
    std::uint32_t outside = 0;
    std::uint32_t degenerate = 0;
};
/// Copies the first `count` indices (a multiple of three) of a mesh. Omits triangles with a
/// repeated vertex or a vertex that is not below `vertices`. `to` must have space for `count`
/// indices.
TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint16_t* to);
TriangleCounts copyTriangles(const CastIntegers& from, std::uint32_t count, std::uint32_t vertices, std::uint32_t* to);

/// Counts of triangles that face in the direction of their vertex normals (`with`) and in the
/// opposite direction (`against`).
struct WindingCounts {
    std::uint64_t with = 0, against = 0;
    /// Returns true if 5 % of all `triangles` of a mesh face in the direction of their normals.
    /// `isAgainst` is then false, however the remaining triangles face.
    bool isDecided(std::uint64_t triangles) const { return 20 * with >= triangles; }
    /// Returns true if more than 95 % of the counted triangles face in the opposite direction of
    /// their normals.
    bool isAgainst() const { return against * 100 > (with + against) * 95; }
};
/// Adds triangles to `counts`. Points and normals have three floats each; indices must be in range.
void countWinding(std::span<const std::uint32_t> indices, const std::uint8_t* points, const std::uint8_t* normals, WindingCounts& counts);

/// Reverses the winding of triangles by swapping their second and third index.
void reverseTriangles(std::span<std::uint16_t> indices);
void reverseTriangles(std::span<std::uint32_t> indices);

/// Fast path of `setInfluences` for up to four influences per vertex. Returns false at the first
/// vertex that has a negative or non-finite weight, no positive weight, or positive weights with
/// repeated bones or bones that are not below `boneCount`. If `weights` is null, each weight is 1.
/// `joints` and `out` have four elements per vertex.
bool copyInfluences(const CastIntegers& bones, const std::uint8_t* weights, std::uint32_t perVertex, std::uint32_t boneCount,
                    std::uint32_t vertices, std::uint16_t* joints, float* out, InfluenceSummary& summary);

/// Expands a box to include points, which have three floats each.
void growBox(const std::uint8_t* points, std::size_t count, FourFloats& low, FourFloats& high);
/// Returns the largest squared distance of the points from `center`.
double farthestSquare(const std::uint8_t* points, std::size_t count, const Vec3& center);
/// Adds points to the boxes of the joints that move them. `joints` and `weights` have four elements
/// per point.
void includeVertices(JointBoxes& boxes, const std::uint8_t* points, const std::uint16_t* joints, const float* weights, std::size_t count);

/// Returns true if all quaternions have unit length.
bool areUnitRotations(const std::uint8_t* from, std::size_t count);
bool areFinite(const std::uint8_t* from, std::size_t count);
/// Returns true if a quaternion has unit length within float precision. The reader copies such
/// quaternions unchanged.
inline bool isUnit(const float* q) {
    const float off = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1;
    return (off < 0 ? -off : off) < 1e-6f;
}

}  // namespace rigcast
