#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

using Indices = Vector<std::uint32_t>;
using Floats = Vector<float>;

/// A fold, which consists of two unit squares that meet at a right angle along the y axis. One is
/// in the xy plane (normal +z), one in the yz plane (normal -x). Vertices 0 and 1 are on the fold.
const Floats foldPositions = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1};
const Indices foldIndices = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4};

Vec3 normalAt(const Floats& normals, std::size_t vertex) { return {normals[vertex * 3], normals[vertex * 3 + 1], normals[vertex * 3 + 2]}; }

void expectNormal(const Floats& normals, std::size_t vertex, Vec3 expected) {
    const Vec3 actual = normalAt(normals, vertex);
    EXPECT_NEAR(actual.x, expected.x, 1e-6) << "vertex " << vertex;
    EXPECT_NEAR(actual.y, expected.y, 1e-6) << "vertex " << vertex;
    EXPECT_NEAR(actual.z, expected.z, 1e-6) << "vertex " << vertex;
}

Floats smooth(const Floats& positions, const Indices& indices, const Indices& points = {}) {
    Floats normals(positions.size(), -7);
    smoothNormals(positions, indices, points, normals);
    return normals;
}

constexpr double diagonal = std::numbers::sqrt2 / 2;

TEST(SmoothNormals, CounterClockwiseTriangleFacesTheViewer) {
    const Floats normals = smooth({0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2});
    for (std::size_t vertex = 0; vertex < 3; ++vertex) expectNormal(normals, vertex, {0, 0, 1});
}

TEST(SmoothNormals, NormalsOfAFoldAreHalfwayBetween) {
    const Floats normals = smooth(foldPositions, foldIndices);
    expectNormal(normals, 2, {0, 0, 1});
    expectNormal(normals, 5, {1, 0, 0});
    expectNormal(normals, 0, {diagonal, 0, diagonal});
    expectNormal(normals, 1, {diagonal, 0, diagonal});
}

TEST(SmoothNormals, AreWeightedByArea) {
    // The second square is three times as large.
    Floats positions = foldPositions;
    positions[4 * 3 + 2] = positions[5 * 3 + 2] = 3;
    expectNormal(smooth(positions, foldIndices), 0, {3 / std::sqrt(10.), 0, 1 / std::sqrt(10.)});
}

TEST(SmoothNormals, VerticesOfOnePointShareANormal) {
    // A fold with a UV seam: the second square has its own vertices 6 and 7 at points 0 and 1.
    Floats positions = foldPositions;
    positions.insert(positions.end(), {0, 0, 0, 0, 1, 0});
    const Indices indices = {0, 2, 3, 0, 3, 1, 6, 7, 5, 6, 5, 4};
    const Floats seam = smooth(positions, indices, {0, 1, 2, 3, 4, 5, 0, 1});
    expectNormal(seam, 0, {diagonal, 0, diagonal});
    expectNormal(seam, 6, {diagonal, 0, diagonal});
    const Floats apart = smooth(positions, indices);
    expectNormal(apart, 0, {0, 0, 1});
    expectNormal(apart, 6, {1, 0, 0});
}

TEST(SmoothNormals, NormalsOfASpherePointOutwards) {
    // A sphere of latitudes and longitudes, with triangle fans at the poles.
    const int rings = 24, sectors = 48;
    Floats positions = {0, 1, 0, 0, -1, 0};
    Indices indices;
    const auto at = [&](int ring, int sector) { return static_cast<std::uint32_t>(2 + (ring - 1) * sectors + sector % sectors); };
    for (int ring = 1; ring < rings; ++ring)
        for (int sector = 0; sector < sectors; ++sector) {
            const double polar = std::numbers::pi * ring / rings, around = 2 * std::numbers::pi * sector / sectors;
            positions.insert(positions.end(), {static_cast<float>(std::sin(polar) * std::sin(around)), static_cast<float>(std::cos(polar)),
                                               static_cast<float>(std::sin(polar) * std::cos(around))});
        }
    for (int sector = 0; sector < sectors; ++sector) {
        indices.insert(indices.end(), {0, at(1, sector), at(1, sector + 1)});
        indices.insert(indices.end(), {1, at(rings - 1, sector + 1), at(rings - 1, sector)});
        for (int ring = 1; ring < rings - 1; ++ring)
            indices.insert(indices.end(), {at(ring, sector), at(ring + 1, sector), at(ring + 1, sector + 1), at(ring, sector),
                                           at(ring + 1, sector + 1), at(ring, sector + 1)});
    }
    const Floats normals = smooth(positions, indices);
    for (std::size_t vertex = 0; vertex * 3 < positions.size(); ++vertex)
        EXPECT_GT(dot(normalAt(normals, vertex), normalAt(positions, vertex)), 0.998) << vertex;
}

TEST(RepairNormals, ReplacesNormalsOfZeroLengthByThoseOfTheFaces) {
    // A triangle with normal +z, and two vertices without a triangle.
    const Floats positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5, 6, 6, 6};
    const Vector<std::uint32_t> indices = {0, 1, 2};
    Floats normals = {1, 0, 0, 0, 0, 0, 1e-7f, 0, 0, 0, 0, 0, 0, 1, 0};
    EXPECT_EQ(repairNormals(positions, indices, {}, normals), 2u);  // only replaced normals of vertices with a triangle are counted
    expectNormal(normals, 0, {1, 0, 0});
    expectNormal(normals, 1, {0, 0, 1});
    expectNormal(normals, 2, {0, 0, 1});
    expectNormal(normals, 3, {0, 1, 0});
    expectNormal(normals, 4, {0, 1, 0});
    EXPECT_EQ(repairNormals(positions, indices, {}, normals), 0u);
}

TEST(RepairNormals, VerticesOfOnePointShareANormal) {
    Floats normals(foldPositions.size(), 0);
    const Vector<std::uint32_t> points = {0, 1, 2, 3, 4, 5};
    repairNormals(foldPositions, foldIndices, points, normals);
    expectNormal(normals, 0, {diagonal, 0, diagonal});
    expectNormal(normals, 2, {0, 0, 1});
}

TEST(SmoothNormals, PointsWithoutAreaFaceUp) {
    const Floats normals = smooth({0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5}, {0, 1, 2});
    for (std::size_t vertex = 0; vertex < 4; ++vertex) expectNormal(normals, vertex, {0, 1, 0});
}

TEST(SmoothNormals, HugeAndTinyTrianglesHaveUnitNormals) {
    for (const float size : {1e-18f, 1e18f, 3e38f}) expectNormal(smooth({0, 0, 0, size, 0, 0, 0, size, 0}, {0, 1, 2}), 0, {0, 0, 1});
}

TEST(SmoothNormals, AcceptsEmptyMeshes) { EXPECT_TRUE(smooth({}, {}).empty()); }

// ------------------------------------------------------------------------------------------------ groups

/// Checks that splitting has not moved the corners of any triangle.
void expectSameTriangles(const SmoothingSplit& split, const Indices& indices, std::size_t vertexCount) {
    ASSERT_EQ(split.indices.size(), indices.size());
    ASSERT_EQ(split.normals.size(), split.sourceVertex.size() * 3);
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) EXPECT_EQ(split.sourceVertex[vertex], vertex);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        ASSERT_LT(split.indices[i], split.sourceVertex.size());
        EXPECT_EQ(split.sourceVertex[split.indices[i]], indices[i]);
    }
}

SmoothingSplit splitFold(const Indices& groups) {
    SmoothingSplit split = smoothingSplit(foldPositions, foldIndices, groups, {});
    expectSameTriangles(split, foldIndices, 6);
    return split;
}

TEST(SmoothingSplit, FacesOfOneGroupShareTheirNormals) {
    const SmoothingSplit split = splitFold({1, 1, 1, 1});
    EXPECT_EQ(split.sourceVertex.size(), 6u);
    EXPECT_EQ(split.normals, smooth(foldPositions, foldIndices));
}

TEST(SmoothingSplit, FacesOfDifferentGroupsSplitTheFold) {
    const SmoothingSplit split = splitFold({1, 1, 2, 2});
    EXPECT_EQ(split.sourceVertex.size(), 8u);
    for (std::size_t corner = 0; corner < 6; ++corner) expectNormal(split.normals, split.indices[corner], {0, 0, 1});
    for (std::size_t corner = 6; corner < 12; ++corner) expectNormal(split.normals, split.indices[corner], {1, 0, 0});
}

TEST(SmoothingSplit, GroupsWithACommonBitSmooth) { EXPECT_EQ(splitFold({1, 1, 3, 3}).sourceVertex.size(), 6u); }

TEST(SmoothingSplit, GroupsAreTransitive) {
    // Four faces around point 0 with groups 1, 2, 4 and 7. The last face shares a group with each
    // of the others, which have no common groups.
    const Floats positions = {0, 0, 0, 1, 0, 0, 0, 1, 0.5f, -1, 0, 0, 0, -1, 0.5f};
    const Indices indices = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
    const SmoothingSplit apart = smoothingSplit(positions, indices, Indices{1, 2, 4, 8}, {});
    const SmoothingSplit joined = smoothingSplit(positions, indices, Indices{1, 2, 4, 7}, {});
    const auto copiesOfCentre = [](const SmoothingSplit& split) {
        return std::count(split.sourceVertex.begin(), split.sourceVertex.end(), 0u);
    };
    EXPECT_EQ(copiesOfCentre(apart), 4);
    EXPECT_EQ(copiesOfCentre(joined), 1);
    expectSameTriangles(joined, indices, 5);
}

TEST(SmoothingSplit, GroupZeroIsFaceted) {
    const SmoothingSplit split = splitFold({0, 0, 0, 0});
    EXPECT_EQ(split.sourceVertex.size(), 12u);
    Indices used = split.indices;
    std::sort(used.begin(), used.end());
    EXPECT_EQ(std::unique(used.begin(), used.end()), used.end());
    for (std::size_t corner = 0; corner < 12; ++corner)
        expectNormal(split.normals, split.indices[corner], corner < 6 ? Vec3{0, 0, 1} : Vec3{1, 0, 0});
}

TEST(SmoothingSplit, SmoothsAcrossSeamsOfOnePoint) {
    Floats positions = foldPositions;
    positions.insert(positions.end(), {0, 0, 0, 0, 1, 0});
    const Indices indices = {0, 2, 3, 0, 3, 1, 6, 7, 5, 6, 5, 4};
    const SmoothingSplit split = smoothingSplit(positions, indices, Indices{1, 1, 1, 1}, Indices{0, 1, 2, 3, 4, 5, 0, 1});
    EXPECT_EQ(split.sourceVertex.size(), 8u);
    expectNormal(split.normals, 0, {diagonal, 0, diagonal});
    expectNormal(split.normals, 6, {diagonal, 0, diagonal});
}

TEST(SmoothingSplit, FanOfAllThirtyTwoGroupsAndNoneIsLinear) {
    // 200,000 faces around one vertex, with every group and none. A quadratic algorithm would take
    // too much time.
    const std::uint32_t faces = 200'000;
    Floats positions(3 * (faces + 2));
    Indices indices, groups;
    for (std::uint32_t face = 0; face < faces; ++face) {
        indices.insert(indices.end(), {0, face + 1, face + 2});
        groups.push_back(face % 33 == 32 ? 0 : 1u << face % 33);
    }
    const SmoothingSplit split = smoothingSplit(positions, indices, groups, {});
    expectSameTriangles(split, indices, faces + 2);
}

}  // namespace
}  // namespace rigcast
