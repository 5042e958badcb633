// Tests the conversion of .mprt files to instances (docs/formats/cast.md section 11).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/mprt.hpp"
#include "support/open.hpp"
#include "support/sweeps.hpp"

namespace rigcast::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::unique_ptr<Opened> openList(const Vector<MprtSpec>& props, const std::string& options = "") {
    return readBytes("", makeMprt(props), {.name = "mp_rr_canyon.mprt", .options = options});
}

std::vector<float> transformsOf(const Opened& opened, std::size_t set) {
    const auto values = opened.arena.values(opened.scene.instances.at(set).transforms);
    return {values.begin(), values.end()};
}

TEST(Mprt, ModelsAreInstancesOfCastFiles) {
    const auto opened = openList({{"rock", {1, 2, 3}, {}, 2}, {"tree", {4, 5, 6}}, {"Rock", {7, 8, 9}}});
    ASSERT_TRUE(opened->result.hasScene);
    EXPECT_EQ(opened->diagnostics.findings().size(), 0u);
    const Scene& scene = opened->scene;
    ASSERT_EQ(scene.instances.size(), 2u);
    ASSERT_EQ(scene.references.size(), 2u);
    EXPECT_EQ(scene.references[0].kind, "instance");
    EXPECT_EQ(scene.references[0].name, "rock/rock_LOD0.cast");
    EXPECT_EQ(scene.references[1].name, "tree/tree_LOD0.cast");
    EXPECT_EQ(transformsOf(*opened, 0), (std::vector<float>{1, 2, 3, 0, 0, 0, 1, 2, 2, 2, 7, 8, 9, 0, 0, 0, 1, 1, 1, 1}));
    const auto names = opened->arena.values(scene.instances[0].names);
    EXPECT_EQ(scene.strings[names[1]], "Rock");
    EXPECT_EQ(scene.asset.upAxis, "z");
    EXPECT_EQ(scene.asset.metresPerUnit, 1);
}

TEST(Mprt, UnitAndAxisAreThoseOfCast) {
    const auto opened = openList({{"rock"}}, R"({"cast": {"upAxis": "y", "unit": 0.0254}})");
    EXPECT_EQ(opened->scene.asset.upAxis, "y");
    EXPECT_EQ(opened->scene.asset.metresPerUnit, 0.0254);
}

/// The angles are Euler angles about x, then y, then z.
TEST(Mprt, AnglesAreRollPitchYaw) {
    const auto opened = openList({{"a", {}, {90, 0, 0}}, {"b", {}, {0, 90, 0}}, {"c", {}, {0, 0, 90}}, {"d", {}, {90, 0, 90}}});
    const auto turned = [&](std::size_t set, const Vec3& v) {
        const auto values = transformsOf(*opened, set);
        return rotate({values[3], values[4], values[5], values[6]}, v);
    };
    EXPECT_NEAR(turned(0, {0, 1, 0}).z, 1, 1e-6);
    EXPECT_NEAR(turned(1, {0, 0, 1}).x, 1, 1e-6);
    EXPECT_NEAR(turned(2, {1, 0, 0}).y, 1, 1e-6);
    EXPECT_NEAR(turned(3, {0, 1, 0}).z, 1, 1e-6);
    EXPECT_NEAR(turned(3, {0, 0, 1}).x, 1, 1e-6);
}

TEST(Mprt, DamageIsReported) {
    const auto damaged = openList({{"", {1, 2, 3}}, {"a", {nan, 0, 0}}, {"b", {}, {0, nan, 0}}, {"c", {}, {}, nan}, {"d\xff"}});
    ASSERT_TRUE(damaged->result.hasScene);
    EXPECT_TRUE(damaged->has(Code::INSTANCE_WITHOUT_FILE));
    EXPECT_EQ(damaged->count(Code::NON_FINITE), 3u);
    EXPECT_TRUE(damaged->has(Code::NAME_DAMAGED));
    EXPECT_EQ(damaged->scene.instances.size(), 1u);
    EXPECT_TRUE(openList({})->has(Code::MISSING_CHUNK));
    auto bytes = makeMprt({{"a"}, {"b"}});
    bytes.push_back(0);
    EXPECT_TRUE(readBytes("", bytes)->has(Code::TRAILING_BYTES));
    bytes.resize(bytes.size() - 5);
    const auto cut = readBytes("", bytes);
    EXPECT_TRUE(cut->has(Code::TRUNCATED));
    EXPECT_EQ(cut->scene.instances.size(), 1u);
    bytes.resize(12);
    for (std::size_t i = 8; i < 12; ++i) bytes[i] = 0xff;
    EXPECT_FALSE(readBytes("", bytes)->result.hasScene);
}

TEST(Mprt, DamagedFilesAreRead) {
    const auto bytes = makeMprt({{"rock", {1, 2, 3}, {10, 20, 30}, 2}, {"tree"}, {"rock"}});
    everyPrefix(bytes, "mprt");
    bytePatches(bytes, bytes.size(), "mprt");
}

TEST(Mprt, OutlineListsProps) {
    const auto bytes = makeMprt({{"rock"}, {"tree"}});
    const OpenedOutline opened = readOutline("mprt", bytes);
    ASSERT_EQ(opened.outline.size(), 2u);
    EXPECT_EQ(opened.outline[1].name, "tree");
    EXPECT_EQ(opened.outline[0].offset + opened.outline[0].size, opened.outline[1].offset);
    EXPECT_EQ(opened.outline[1].fields.at(0).offset + 28, bytes.size());
}

}  // namespace
}  // namespace rigcast::test
