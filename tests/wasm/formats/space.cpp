// Tests the options for up axis and unit, which Cast and SE files may not contain.
#include "formats/space.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "scene/scene.hpp"

namespace rigcast {
namespace {

TEST(FileSpace, AcceptsValuesInRange) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::tuple<const char*, Value, bool> table[] = {
        {"upAxis", "x", true},
        {"upAxis", "y", true},
        {"upAxis", "z", true},
        {"upAxis", "w", false},
        {"upAxis", 1, false},
        {"unit", 1e-9, true},
        {"unit", 1e9, true},
        {"unit", 0, false},
        {"unit", -1, false},
        {"unit", infinity, false},
        {"unit", std::numeric_limits<double>::quiet_NaN(), false},
        {"unit", "1", false},
        {"overrideNamedBone", true, true},
        {"overrideNamedBone", 1, false},
        {"other", true, false},
    };
    for (const auto& [option, value, isTaken] : table) EXPECT_EQ(FileSpace().take(option, value), isTaken) << option;
}

TEST(FileSpace, RotatesEachUpAxisToY) {
    for (const auto& [axis, up] : {std::pair{"x", Vec3{1, 0, 0}}, {"y", Vec3{0, 1, 0}}, {"z", Vec3{0, 0, 1}}}) {
        FileSpace space;
        ASSERT_TRUE(space.take("upAxis", axis) && space.take("unit", 0.5));
        Scene scene;
        scene.nodes.emplace_back();
        space.applyTo(scene);
        const Vec3 turned = rotate(scene.nodes[0].local.rotation, up);
        EXPECT_NEAR(turned.y, 1, 1e-12) << axis;
        EXPECT_EQ(scene.nodes[0].local.scale.y, 0.5);
        EXPECT_EQ(scene.asset.upAxis, axis);
        EXPECT_EQ(scene.asset.metresPerUnit, 0.5);
    }
}

}  // namespace
}  // namespace rigcast
