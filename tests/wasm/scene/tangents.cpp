#include <gtest/gtest.h>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

using Floats = Vector<float>;

/// A unit square in the xy plane, facing +z. The constructor gets the UVs of the corners (0,0)
/// (1,0) (1,1) (0,1).
struct Square {
    Arena arena;
    Mesh mesh;

    explicit Square(const Floats& uvs) {
        mesh = test::makeMesh(arena, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {0, 1, 2, 0, 2, 3});
        mesh.normals = test::put(arena, mesh.block, {0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f});
        mesh.uvs.push_back(test::put(arena, mesh.block, uvs));
    }
    Floats tangent(std::size_t vertex) {
        const Floats all = test::valuesOf(arena, mesh.tangents);
        return {all.begin() + static_cast<long>(vertex) * 4, all.begin() + static_cast<long>(vertex) * 4 + 4};
    }
};

TEST(Tangents, UprightUvsGiveTangentRightAndBitangentUp) {
    // The top of the image (v = 0) is at y = 1, so cross(normal, tangent) * w is +y, as in glTF.
    Square square({0, 1, 1, 1, 1, 0, 0, 0});
    ASSERT_TRUE(addTangents(square.arena, square.mesh));
    for (std::size_t vertex = 0; vertex < 4; ++vertex) EXPECT_EQ(square.tangent(vertex), (Floats{1, 0, 0, 1}));
}

TEST(Tangents, MirroredUvsHaveTheOppositeSign) {
    Square square({1, 1, 0, 1, 0, 0, 1, 0});
    ASSERT_TRUE(addTangents(square.arena, square.mesh));
    for (std::size_t vertex = 0; vertex < 4; ++vertex) EXPECT_EQ(square.tangent(vertex), (Floats{-1, 0, 0, -1}));
}

TEST(Tangents, FollowUOfRotatedUvs) {
    // u increases along +y and v along +x: the top of the image is at x = 0.
    Square square({0, 0, 0, 1, 1, 1, 1, 0});
    ASSERT_TRUE(addTangents(square.arena, square.mesh));
    EXPECT_EQ(square.tangent(0), (Floats{0, 1, 0, 1}));
}

TEST(Tangents, ArePerpendicularToTheNormal) {
    Square square({0, 1, 1, 1, 1, 0, 0, 0});
    auto normals = square.arena.values(square.mesh.normals);
    normals[0] = 0.6f;
    normals[2] = 0.8f;
    ASSERT_TRUE(addTangents(square.arena, square.mesh));
    const Floats t = square.tangent(0);
    EXPECT_NEAR(t[0], 0.8, 1e-6);
    EXPECT_NEAR(t[2], -0.6, 1e-6);
    EXPECT_EQ(t[3], 1);
}

TEST(Tangents, ArePerpendicularWithoutUvArea) {
    Square square({0, 0, 0, 0, 0, 0, 0, 0});
    ASSERT_TRUE(addTangents(square.arena, square.mesh));
    EXPECT_EQ(square.tangent(2), (Floats{1, 0, 0, 1}));
}

TEST(Tangents, HaveUnitLengthForAnyInput) {
    for (const float x : {0.f, 1.f, 1e30f}) {
        Square square({0, 1, 1, 1, 1, 0, 0, 0});
        for (std::size_t vertex = 0; vertex < 4; ++vertex) {
            float* normal = &square.arena.values(square.mesh.normals)[vertex * 3];
            normal[0] = x;
            normal[1] = normal[2] = 0;
        }
        for (float& value : square.arena.values(square.mesh.positions))
            value *= x == 1 ? 0 : x;  // no area, or an area beyond the range of float
        ASSERT_TRUE(addTangents(square.arena, square.mesh));
        for (std::size_t vertex = 0; vertex < 4; ++vertex) {
            const Floats t = square.tangent(vertex);
            EXPECT_NEAR(t[0] * t[0] + t[1] * t[1] + t[2] * t[2], 1, 1e-5) << x;
        }
    }
}

TEST(Tangents, AreEqualForBothIndexWidths) {
    const Floats uvs = {0, 1, 1, 1, 1, 0, 0, 0};
    Square narrow(uvs), wide(uvs);
    Vector<std::uint32_t> indices;
    for (const std::uint16_t index : wide.arena.values(wide.mesh.indices16)) indices.push_back(index);
    wide.mesh.indices16 = {};
    wide.mesh.indices32 = test::put(wide.arena, wide.mesh.block, indices);
    ASSERT_TRUE(addTangents(narrow.arena, narrow.mesh) && addTangents(wide.arena, wide.mesh));
    for (std::size_t vertex = 0; vertex < 4; ++vertex) EXPECT_EQ(wide.tangent(vertex), narrow.tangent(vertex));
}

TEST(Tangents, NeedNormalsUvsTrianglesAndMemory) {
    Square square({0, 1, 1, 1, 1, 0, 0, 0});
    Mesh without = square.mesh;
    without.uvs.clear();
    EXPECT_FALSE(addTangents(square.arena, without));
    without = square.mesh;
    without.normals = {};
    EXPECT_FALSE(addTangents(square.arena, without));
    without = square.mesh;
    without.topology = Topology::strands;
    EXPECT_FALSE(addTangents(square.arena, without));
    EXPECT_FALSE(square.arena.exhausted());
    without = square.mesh;
    without.uvs[0].count = 6;
    EXPECT_FALSE(addTangents(square.arena, without));
    without = square.mesh;
    without.positions.count = 9;
    EXPECT_FALSE(addTangents(square.arena, without));
    Arena small;
    without = test::makeMesh(small, {0, 0, 0, 1, 0, 0, 1, 1, 0}, {0, 1, 2});
    without.normals = test::put(small, without.block, Floats(9, 0));
    without.uvs.push_back(test::put(small, without.block, Floats(6, 0)));
    const Budget budget(100, 0);
    EXPECT_FALSE(addTangents(small, without));
    EXPECT_TRUE(small.exhausted());
}

}  // namespace
}  // namespace rigcast
