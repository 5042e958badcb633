#include <gtest/gtest.h>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

using Joints = Vector<std::uint16_t>;
using Weights = Vector<float>;
using Offsets = Vector<std::uint32_t>;

struct Lowered {
    Arena arena;
    Mesh mesh;
    InfluenceSummary summary;

    Lowered(const PointInfluences& points, const Vector<std::uint32_t>& pointOfVertex, std::uint32_t vertexCount,
            std::size_t jointCount = 300) {
        mesh.block = arena.addBlock();
        mesh.vertexCount = vertexCount;
        EXPECT_TRUE(setInfluences(arena, mesh, jointCount, points, pointOfVertex, summary));
    }
    Joints joints() { return test::valuesOf(arena, mesh.joints16); }
    Weights weights() { return test::valuesOf(arena, mesh.weights); }
};

/// Returns the influences of a single vertex.
Lowered onePoint(const Vector<std::uint32_t>& joints, const Weights& weights) {
    return Lowered({{0, static_cast<std::uint32_t>(joints.size())}, joints, weights}, {}, 1);
}

TEST(Influences, SortsStrongestFirstThenByJoint) {
    Lowered one = onePoint({9, 3, 5, 1}, {0.25f, 0.125f, 0.5f, 0.125f});
    EXPECT_EQ(one.joints(), (Joints{5, 9, 1, 3}));
    EXPECT_EQ(one.weights(), (Weights{0.5f, 0.25f, 0.125f, 0.125f}));
    EXPECT_EQ(one.summary.maximum, 4u);
    EXPECT_EQ(one.summary.notNormalized, 0u);
    EXPECT_FALSE(one.mesh.influenceOffsets.present());
}

TEST(Influences, JointIndicesHave8BitsUpTo256Joints) {
    const PointInfluences points{{0, 2, 6, 11}, {255, 3, 9, 3, 255, 1, 1, 2, 3, 4, 255}, {1, 3, 4, 3, 2, 1, 1, 1, 1, 1, 9}};
    Lowered wide(points, {0, 1, 2, 1}, 4, 257), narrow(points, {0, 1, 2, 1}, 4, 256);
    EXPECT_FALSE(wide.mesh.joints8.present());
    EXPECT_FALSE(narrow.mesh.joints16.present());
    const auto bytes = test::valuesOf(narrow.arena, narrow.mesh.joints8);
    EXPECT_EQ(Joints(bytes.begin(), bytes.end()), wide.joints());
    EXPECT_EQ(narrow.weights(), wide.weights());
    EXPECT_EQ(wide.joints()[8], 255);
}

TEST(Influences, NormalizesWeightsToOne) {
    Lowered one = onePoint({0, 1}, {3, 1});
    EXPECT_EQ(one.weights(), (Weights{0.75f, 0.25f, 0, 0}));
    EXPECT_EQ(one.summary.notNormalized, 1u);
}

TEST(Influences, SumsOffByLessThanAThousandthAreNotReported) { EXPECT_EQ(onePoint({0, 1}, {0.5f, 0.4995f}).summary.notNormalized, 0u); }

TEST(Influences, SumsInfluencesOfOneJoint) {
    Lowered one = onePoint({2, 7, 2}, {0.25f, 0.5f, 0.25f});
    EXPECT_EQ(one.joints(), (Joints{2, 7, 0, 0}));
    EXPECT_EQ(one.weights(), (Weights{0.5f, 0.5f, 0, 0}));
    EXPECT_EQ(one.summary.duplicates, 1u);
}

TEST(Influences, DropsWeightsThatAreNotPositiveAndFinite) {
    Lowered one = onePoint({1, 2, 3, 4, 5}, {0, -1, NAN, INFINITY, 1});
    EXPECT_EQ(one.joints(), (Joints{5, 0, 0, 0}));
    EXPECT_EQ(one.weights(), (Weights{1, 0, 0, 0}));
    EXPECT_EQ(one.summary.notNormalized, 1u);  // one weight is negative
    EXPECT_EQ(one.summary.duplicates, 0u);
}

TEST(Influences, PointWithoutInfluencesFollowsJointZero) {
    for (const std::size_t zeros : {0, 1, 3}) {
        Lowered one = onePoint(Vector<std::uint32_t>(zeros, 5), Weights(zeros, 0));
        EXPECT_EQ(one.joints(), (Joints{0, 0, 0, 0}));
        EXPECT_EQ(one.weights(), (Weights{1, 0, 0, 0}));
        EXPECT_EQ(one.summary.unweighted, 1u);
        EXPECT_EQ(one.summary.maximum, 1u);
    }
}

TEST(Influences, KeepsTheFullListOfMoreThanFourAndNormalizesTheFour) {
    Lowered one = onePoint({0, 1, 2, 3, 4}, {0.0625f, 0.25f, 0.25f, 0.25f, 0.1875f});
    EXPECT_EQ(one.joints(), (Joints{1, 2, 3, 4}));
    const Weights four = one.weights();
    EXPECT_FLOAT_EQ(four[0], 0.25f / 0.9375f);
    EXPECT_FLOAT_EQ(four[3], 0.1875f / 0.9375f);
    EXPECT_FLOAT_EQ(four[0] + four[1] + four[2] + four[3], 1);
    EXPECT_EQ(one.summary.maximum, 5u);
    EXPECT_EQ(one.mesh.maxInfluences, 5u);
    EXPECT_EQ(test::valuesOf(one.arena, one.mesh.influenceOffsets), (Offsets{0, 5}));
    EXPECT_EQ(test::valuesOf(one.arena, one.mesh.influenceJoints), (Joints{1, 2, 3, 4, 0}));
    EXPECT_EQ(test::valuesOf(one.arena, one.mesh.influenceWeights), (Weights{0.25f, 0.25f, 0.25f, 0.1875f, 0.0625f}));
}

TEST(Influences, VerticesGetTheInfluencesOfTheirPoint) {
    const PointInfluences points{{0, 1, 3}, {4, 6, 7}, {1, 0.25f, 0.75f}};
    Lowered two(points, {1, 0, 1}, 3);
    EXPECT_EQ(two.joints(), (Joints{7, 6, 0, 0, 4, 0, 0, 0, 7, 6, 0, 0}));
    EXPECT_EQ(two.weights(), (Weights{0.75f, 0.25f, 0, 0, 1, 0, 0, 0, 0.75f, 0.25f, 0, 0}));
}

TEST(Influences, FullListIsPerVertex) {
    const PointInfluences points{{0, 5, 6}, {0, 1, 2, 3, 4, 9}, {0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 1}};
    Lowered three(points, {1, 0, 1}, 3);
    EXPECT_EQ(test::valuesOf(three.arena, three.mesh.influenceOffsets), (Offsets{0, 1, 6, 7}));
    EXPECT_EQ(test::valuesOf(three.arena, three.mesh.influenceJoints), (Joints{9, 0, 1, 2, 3, 4, 9}));
}

TEST(Influences, MergesDuplicatesAmongManyInfluences) {
    // 40 influences of 20 joints are too many to compare all pairs.
    Vector<std::uint32_t> joints;
    Weights weights;
    for (std::uint32_t i = 0; i < 40; ++i) {
        joints.push_back(i * 7 % 20);
        weights.push_back(static_cast<float>(i * 7 % 20 + 1));
    }
    Lowered one = onePoint(joints, weights);
    EXPECT_EQ(one.summary.maximum, 20u);
    EXPECT_EQ(one.summary.duplicates, 1u);
    EXPECT_EQ(one.joints(), (Joints{19, 18, 17, 16}));
    const Weights all = test::valuesOf(one.arena, one.mesh.influenceWeights);
    ASSERT_EQ(all.size(), 20u);
    EXPECT_FLOAT_EQ(all[0], 20.f / 210);
    EXPECT_FLOAT_EQ(all[19], 1.f / 210);
}

TEST(Influences, HugeAndTinyWeightsStayFinite) {
    Lowered one = onePoint({0, 1, 2}, {3e38f, 3e38f, 1e-45f});
    EXPECT_EQ(one.weights(), (Weights{0.5f, 0.5f, 0, 0}));
}

TEST(Influences, FastPathForFewInfluencesEqualsTheGeneralPath) {
    std::uint32_t state = 1;
    const auto random = [&](std::uint32_t below) { return (state = state * 1664525 + 1013904223) / 65536 % below; };
    for (int round = 0; round < 500; ++round) {
        Vector<std::uint32_t> joints;
        Weights weights;
        for (std::uint32_t i = 0, count = 1 + random(4); i < count; ++i) {
            joints.push_back(random(6));
            weights.push_back(static_cast<float>(1 + random(5)) / 7);
        }
        Lowered few = onePoint(joints, weights);
        joints.push_back(9);  // a fifth influence with weight 0 selects the general path
        weights.push_back(0);
        Lowered many = onePoint(joints, weights);
        ASSERT_EQ(few.joints(), many.joints());
        for (std::size_t i = 0; i < 4; ++i) ASSERT_FLOAT_EQ(few.weights()[i], many.weights()[i]);
        ASSERT_EQ(few.summary.maximum, many.summary.maximum);
        ASSERT_EQ(few.summary.duplicates, many.summary.duplicates);
        ASSERT_EQ(few.summary.notNormalized, many.summary.notNormalized);
    }
}

TEST(Influences, VerticesOfAPointShareItsInfluences) {
    // Point 0 has five influences, point 1 has two that must be cleaned, and point 2 has four
    // sorted ones. Vertices refer to points in any order.
    const PointInfluences points{
        {0, 5, 7, 11}, {4, 3, 2, 1, 0, 6, 6, 1, 2, 3, 4}, {0.1f, 0.15f, 0.2f, 0.25f, 0.3f, 0.5f, 0.5f, 0.4f, 0.3f, 0.2f, 0.1f}};
    const Vector<std::uint32_t> pointOfVertex{2, 0, 1, 0, 0, 2, 1};
    Lowered all(points, pointOfVertex, 7);
    const auto offsets = test::valuesOf(all.arena, all.mesh.influenceOffsets);
    EXPECT_EQ(offsets, (Offsets{0, 4, 9, 10, 15, 20, 24, 25}));
    const auto joints = test::valuesOf(all.arena, all.mesh.influenceJoints);
    const auto weights = test::valuesOf(all.arena, all.mesh.influenceWeights);
    for (std::uint32_t vertex = 0; vertex < 7; ++vertex) {
        Lowered alone(points, {pointOfVertex[vertex]}, 1);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(all.joints()[vertex * 4 + i], alone.joints()[i]);
            EXPECT_EQ(all.weights()[vertex * 4 + i], alone.weights()[i]);
        }
        const auto own = test::valuesOf(alone.arena, alone.mesh.influenceJoints);
        const auto ownWeights = test::valuesOf(alone.arena, alone.mesh.influenceWeights);
        if (own.empty()) continue;
        EXPECT_TRUE(std::equal(own.begin(), own.end(), &joints[offsets[vertex]]));
        EXPECT_TRUE(std::equal(ownWeights.begin(), ownWeights.end(), &weights[offsets[vertex]]));
    }
    EXPECT_EQ(all.summary.duplicates, 1u);  // counted once per point
    EXPECT_EQ(all.mesh.maxInfluences, 5u);
}

TEST(Influences, InfluencesSharedByManyVerticesCostWork) {
    PointInfluences points{{0, 100}, {}, {}};
    for (std::uint32_t i = 0; i < 100; ++i) {
        points.joints.push_back(i);
        points.weights.push_back(1.f + static_cast<float>(i));
    }
    const Vector<std::uint32_t> pointOfVertex(1000, 0);
    {
        const Budget budget(1 << 24, 1000 * 150 + 200);
        Lowered whole(points, pointOfVertex, 1000);
        EXPECT_FALSE(whole.summary.isFullListCut);
        EXPECT_EQ(whole.mesh.maxInfluences, 100u);
        EXPECT_LE(budget.steps(), 1000u * 150 + 200);  // the point was cleaned twice
    }
    const Budget budget(1 << 24, 1000 * 150 - 1);
    Lowered cut(points, pointOfVertex, 1000);
    EXPECT_TRUE(cut.summary.isFullListCut);
    EXPECT_EQ(cut.mesh.maxInfluences, 4u);
    EXPECT_FALSE(cut.mesh.influenceOffsets.present());
    EXPECT_EQ(cut.joints()[3999 - 3], 99u);
}

TEST(Influences, ReportsAnExceededBudget) {
    Arena arena;
    Mesh mesh;
    mesh.block = arena.addBlock();
    mesh.vertexCount = 10;
    PointInfluences points;
    points.offsets.assign(11, 0);
    const Budget budget(100, 1000);
    InfluenceSummary summary;
    EXPECT_FALSE(setInfluences(arena, mesh, 300, points, {}, summary));
    EXPECT_TRUE(arena.exhausted());
    EXPECT_FALSE(hasJoints(mesh));
}

}  // namespace
}  // namespace rigcast
