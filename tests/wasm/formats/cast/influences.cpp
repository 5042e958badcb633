// Tests that the four implementations that write influences give the same result: for sorted
// influences, for few, for any number, and Cast's copy of complete arrays.
#include <gtest/gtest.h>

#include <random>

#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

struct Four {
    std::uint16_t joints[4];
    float weights[4];
};

bool isSame(const Four& a, const Four& b) {
    return std::memcmp(a.joints, b.joints, sizeof a.joints) == 0 && std::memcmp(a.weights, b.weights, sizeof a.weights) == 0;
}

/// Writes one vertex per point with setInfluences.
Vector<Four> foursOf(const PointInfluences& points) {
    Arena arena;
    Mesh mesh;
    mesh.block = arena.addBlock();
    mesh.vertexCount = static_cast<std::uint32_t>(points.offsets.size() - 1);
    InfluenceSummary summary;
    EXPECT_TRUE(setInfluences(arena, mesh, 60000, points, {}, summary));
    Vector<Four> all(mesh.vertexCount);
    const auto joints = arena.values(mesh.joints16);
    const auto weights = arena.values(mesh.weights);
    for (std::size_t vertex = 0; vertex < all.size(); ++vertex) {
        std::copy_n(&joints[vertex * 4], 4, all[vertex].joints);
        std::copy_n(&weights[vertex * 4], 4, all[vertex].weights);
    }
    return all;
}

TEST(Influences, FastAndGeneralPathsGiveTheSameBits) {
    constexpr std::uint32_t count = 200000;
    std::mt19937 random(1);
    const auto pick = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    constexpr float special[] = {0, 0.25f, 0.5f, 1, 1e-40f, 3e37f, 1.17549435e-38f, -0.0f};
    PointInfluences asTheyAre{{0}, {}, {}}, cleaned{{0}, {}, {}};
    for (std::uint32_t point = 0; point < count; ++point) {
        const std::uint32_t some = 1 + pick(4);
        Vector<float> weights(4);
        for (float& weight : weights) weight = pick(4) ? static_cast<float>(1 + pick(1000)) / 1000 : special[pick(8)];
        if (pick(2)) {  // sorted, with a sum of 1
            std::sort(weights.begin(), weights.begin() + some, std::greater<>());
            float sum = 0;
            for (std::uint32_t i = 0; i < some; ++i) sum += weights[i];
            if (sum > 0)
                for (float& weight : weights) weight /= sum;
        }
        for (std::uint32_t i = 0; i < some; ++i) {
            const std::uint32_t joint = pick(pick(2) ? 5 : 60000);
            for (PointInfluences* list : {&asTheyAre, &cleaned}) {
                list->joints.push_back(joint);
                list->weights.push_back(weights[i]);
            }
        }
        asTheyAre.offsets.push_back(static_cast<std::uint32_t>(asTheyAre.joints.size()));
        // Five influences select the general path. Influences with weight 0 must not change the
        // result.
        for (std::uint32_t i = some; i < 5; ++i) {
            cleaned.joints.push_back(9);
            cleaned.weights.push_back(0);
        }
        cleaned.offsets.push_back(static_cast<std::uint32_t>(cleaned.joints.size()));
    }
    const Vector<Four> expected = foursOf(cleaned), fours = foursOf(asTheyAre);
    std::size_t differing = 0, byCast = 0, differingCast = 0;
    for (std::uint32_t point = 0; point < count; ++point) {
        differing += !isSame(expected[point], fours[point]);
        const std::uint32_t first = asTheyAre.offsets[point], some = asTheyAre.offsets[point + 1] - first;
        CastProperty bones;
        bones.type = CastType::u32;
        bones.count = some;
        bones.payload = {reinterpret_cast<const std::uint8_t*>(&asTheyAre.joints[first]), some * 4};
        Four own;
        InfluenceSummary summary;
        if (!copyInfluences(CastIntegers(bones), reinterpret_cast<const std::uint8_t*>(&asTheyAre.weights[first]), some, 60000, 1,
                            own.joints, own.weights, summary))
            continue;
        ++byCast;
        differingCast += !isSame(expected[point], own);
    }
    EXPECT_EQ(differing, 0u);
    EXPECT_EQ(differingCast, 0u);
    EXPECT_GT(byCast, count / 4);
}

}  // namespace
}  // namespace rigcast
