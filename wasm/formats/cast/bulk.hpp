// What touches every vertex, index and key of a file: straight loops over raw bytes, compiled for speed where all the rest is compiled for size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/cast/values.hpp"
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

/// Turns triangles over: a b c becomes a c b.
void reverseTriangles(std::span<std::uint16_t> indices);
void reverseTriangles(std::span<std::uint32_t> indices);
/// Whether more than 95 % of the triangles that face anywhere are wound against the normals of their vertices. Indices are in range.
bool facesAgainstNormals(std::span<const std::uint16_t> indices, std::span<const float> positions, std::span<const float> normals);
bool facesAgainstNormals(std::span<const std::uint32_t> indices, std::span<const float> positions, std::span<const float> normals);

/// Makes up to four influences per vertex GPU-ready as setInfluences does, where there is nothing to clean: weights are finite and not negative,
/// one of them is positive, those that are name different bones below `boneCount`. False at the first vertex where there is. Without `weights`
/// each is 1. `joints` and `out` have four per vertex.
bool copyInfluences(const CastIntegers& bones, const std::uint8_t* weights, std::uint32_t perVertex, std::uint32_t boneCount,
                    std::uint32_t vertices, std::uint16_t* joints, float* out, InfluenceSummary& summary);

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
