#include "scene/describe.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/code.hpp"
#include "core/json.hpp"
#include "core/vector.hpp"
#include "support/scenes.hpp"
#include "support/values.hpp"

namespace rigcast {
namespace {

using namespace std::literals;

Value described(const Scene* scene, Arena& arena, const Diagnostics& diagnostics = Diagnostics{}) {
    const Value json = parseJson(describe(scene, scene ? scene->references : Vector<Reference>{}, arena, diagnostics, "psk", "1"));
    EXPECT_TRUE(json.find("report")) << "no JSON";
    return json;
}

using test::at;
using test::sizeOf;

TEST(Describe, MissingSceneIsNull) {
    Arena arena;
    Diagnostics diagnostics;
    diagnostics.add(Code::TRUNCATED, {.offset = 7, .path = "a/b"}, "why", 3);
    const Value json = described(nullptr, arena, diagnostics);
    EXPECT_TRUE(at(json, "scene").isNull());
    EXPECT_EQ(at(json, "format").asString(""), "psk");
    const Value& report = at(json, "report");
    EXPECT_EQ(at(report, "errors").asNumber(0), 3);
    const Value& item = at(at(report, "items"), 0);
    EXPECT_EQ(at(item, "code").asString(""), "TRUNCATED");
    EXPECT_EQ(at(item, "offset").asNumber(0), 7);
    EXPECT_EQ(at(item, "path").asString(""), "a/b");
    EXPECT_EQ(at(item, "count").asNumber(0), 3);
}

TEST(Describe, ContainsEveryFieldOfTheScene) {
    test::FullScene full;
    const Value json = described(&full.scene, full.arena);
    const Value& scene = at(json, "scene");
    for (const std::string_view list : {"meshes", "renderers", "skins", "materials", "textures", "images", "clips", "lights", "cameras",
                                        "instances", "features", "expressions"})
        EXPECT_GT(sizeOf(at(scene, list)), 0u) << list;
    EXPECT_EQ(sizeOf(at(json, "references")), 1u);
    EXPECT_EQ(at(at(scene, "nodes"), "count").asNumber(0), 3);
    EXPECT_EQ(at(at(at(at(scene, "clips"), 0), "tracks"), "count").asNumber(0), 3);
}

TEST(Describe, TablesOfNodesAndTracksAreInTheArena) {
    test::FullScene full;
    const Value json = described(&full.scene, full.arena);
    const auto column = [](const Value& value) {
        return Column<std::uint32_t>{static_cast<std::uint32_t>(at(value, 0).asNumber(-1)),
                                     static_cast<std::uint32_t>(at(value, 2).asNumber(-1)),
                                     static_cast<std::uint32_t>(at(value, 3).asNumber(-1))};
    };
    const Value& scene = at(json, "scene");
    EXPECT_EQ(test::valuesOf(full.arena, column(at(at(scene, "nodes"), "parents"))), (Vector<std::uint32_t>{none, 0, 1}));
    const Value& tracks = at(at(at(scene, "clips"), 0), "tracks");
    EXPECT_EQ(test::valuesOf(full.arena, column(at(tracks, "keyCounts"))), (Vector<std::uint32_t>{2, 2, 2}));
    const auto values = test::valuesOf(full.arena, column(at(tracks, "values")));
    EXPECT_EQ(values[1], full.scene.clips[0].tracks[1].values.offset);
    EXPECT_EQ(test::valuesOf(full.arena, column(at(tracks, "kinds")))[0], none);
}

TEST(Describe, EscapesHostileStrings) {
    test::FullScene full;
    const std::string hostile = "\"\\/\b\f\n\r\t\x01\x1F\x7F</script>\xE2\x80\xA8__proto__🦴"s + '\0' + "}";
    full.scene.asset.name = hostile;
    full.scene.asset.properties.push_back({hostile, hostile});
    full.scene.strings.intern(hostile);
    const Value json = described(&full.scene, full.arena);
    const Value& asset = at(at(json, "scene"), "asset");
    EXPECT_EQ(at(asset, "name").asString(""), hostile);
    EXPECT_EQ(at(at(asset, "properties"), hostile).asString(""), hostile);
}

TEST(Describe, NonFiniteNumbersBecomeNull) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    test::FullScene full;
    full.scene.asset.properties = {{"nan", std::nan("")}, {"inf", inf}, {"minus", -inf}};
    const Value json = described(&full.scene, full.arena);
    const Value& properties = at(at(at(json, "scene"), "asset"), "properties");
    for (const std::string_view name : {"nan", "inf", "minus"}) EXPECT_TRUE(at(properties, name).isNull());
}

TEST(Describe, NumbersRoundTrip) {
    const Vector<double> numbers = {0,
                                    -1,
                                    0.1,
                                    1e-320,
                                    1.7976931348623157e308,
                                    -9007199254740993.0,
                                    9e15,
                                    4294967295.0,
                                    1. / 3,
                                    double{0.1f},
                                    std::numeric_limits<double>::denorm_min()};
    test::FullScene full;
    Vector<Value> list(numbers.begin(), numbers.end());
    full.scene.asset.properties = {{"numbers", list}};
    const Value json = described(&full.scene, full.arena);
    const Value& back = at(at(at(at(json, "scene"), "asset"), "properties"), "numbers");
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(at(back, i).asNumber(-7), numbers[i], std::fabs(numbers[i]) * 1e-15);
}

TEST(Describe, OutputIsReproducible) {
    test::FullScene a, b;
    const Diagnostics diagnostics;
    EXPECT_EQ(describe(&a.scene, a.scene.references, a.arena, diagnostics, "x", "1"),
              describe(&b.scene, b.scene.references, b.arena, diagnostics, "x", "1"));
    ASSERT_EQ(a.arena.blocks().size(), b.arena.blocks().size());
    for (std::size_t i = 0; i < a.arena.blocks().size(); ++i) {
        const auto& left = a.arena.blocks()[i].pieces;
        const auto& right = b.arena.blocks()[i].pieces;
        ASSERT_EQ(left.size(), right.size());
        for (std::size_t k = 0; k < left.size(); ++k) EXPECT_EQ(std::memcmp(left[k].data.get(), right[k].data.get(), left[k].size), 0);
    }
}

TEST(Describe, IsJsonWithoutMemoryForTheTables) {
    test::FullScene full;
    Arena small;
    for (std::size_t i = 0; i < full.arena.blocks().size(); ++i) small.addBlock();
    std::string text;
    {
        const Budget budget(0, 0);
        text = describe(&full.scene, {}, small, Diagnostics{}, "psk", "1");
        EXPECT_TRUE(small.exhausted());
    }
    EXPECT_TRUE(parseJson(text).find("report")) << "no JSON";
}

TEST(DescribeOutline, WritesTheTreeAndCopiesExpandedBytesToTheArena) {
    Outline outline(1);
    outline[0].kind = "PNTS0000";
    outline[0].offset = 5'000'000'000;
    OutlineField field;
    field.name = "records";
    field.value = 1.5;
    field.expanded = Vector<std::uint8_t>{1, 2, 3};
    outline[0].fields.push_back(field);
    outline[0].children.resize(1);
    outline[0].children[0].kind = "child";
    Arena arena;
    const Value json = parseJson(describeOutline(outline, {}, arena, Diagnostics{}, "psk", "1"));
    const Value& node = at(at(json, "outline"), 0);
    EXPECT_EQ(at(node, "offset").asNumber(0), 5e9);
    EXPECT_EQ(at(at(at(node, "fields"), 0), "value").asNumber(0), 1.5);
    EXPECT_EQ(at(at(at(node, "children"), 0), "kind").asString(""), "child");
    EXPECT_EQ(arena.blocks()[0].pieces[0].data.get()[2], 3);
}

}  // namespace
}  // namespace rigcast
