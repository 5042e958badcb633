// Cast files that are built with the test writer. rigcast_castFixtures writes them to
// tests/data/cast, and sweeps damage them.
#pragma once

#include <cmath>
#include <string>

#include "core/vector.hpp"
#include "support/writers/cast.hpp"

namespace rigcast::test {

struct CastFixture {
    std::string name;
    Vector<std::uint8_t> bytes;
};

/// Returns a file with every feature of the format. It has a strip of two quads along y, two bones,
/// both colour encodings, shapes, hair, materials with both workflows, rigging, an animation with
/// all kinds of curves, instances and unknown nodes.
inline Vector<std::uint8_t> everythingCast() {
    constexpr float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
    constexpr float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    constexpr float tangents[] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    constexpr float uvs[] = {0, 1, 1, 1, 0, 0.5f, 1, 0.5f, 0, 0, 1, 0};
    constexpr float weights[] = {1, 0, 1, 0, 0.5f, 0.5f, 0.5f, 0.5f, 0, 1, 0, 1};
    CastBuilder cast;
    cast.begin("root");
    cast.begin("meta").text("a", "rigcast").text("s", "rigcast fixtures").text("up", "y").text("sr", ".").end();
    cast.begin("modl").text("n", "strip").vec3("p", 0, 0, 0).vec4("r", 0, 0, 0, 1).vec3("s", 1, 1, 1);

    cast.begin("skel");
    std::uint64_t bones[3];
    for (std::uint32_t i = 0; i < 3; ++i) {
        cast.begin("bone").text("n", "bone_" + std::to_string(i)).u32("p", i - 1).u8("ssc", i != 2);
        bones[i] = cast.lastHash();
        cast.vec3("lp", 0, i ? 1.f : 0.f, 0).vec4("lr", 0, 0, 0, 1);
        cast.vec3("wp", 0, static_cast<float>(i), 0).vec4("wr", 0, 0, 0, 1).vec3("s", 1, 1, 1).end();
    }
    cast.begin("ikhd").text("n", "ik").link("sb", bones[0]).link("eb", bones[1]).link("tb", bones[2]).vec3("to", 0, 0, 0);
    cast.link("pv", bones[2]).link("pb", bones[2]).u8("tr", 1).end();
    cast.begin("cnst").text("n", "follow").text("ct", "pt").link("cb", bones[2]).link("tb", bones[1]).u8("mo", 0).vec3("co", 0, 0, 1);
    cast.f32("wt", 0.5f).u8("sx", 1).end();
    cast.end();

    const std::uint64_t image = cast.reserveHash(), color = cast.reserveHash();
    cast.begin("matl").text("n", "plain").text("t", "pbr").link("albedo", image).link("metal", color).link("extra0", image);
    const std::uint64_t material = cast.lastHash();
    cast.begin(castIds::file, image).text("p", "textures\\strip.png").end();
    cast.begin(castIds::color, color).text("cs", "linear").vec4("rgba", 0.5f, 0, 0, 1).end().end();

    cast.begin("mesh").text("n", "strip");
    const std::uint64_t mesh = cast.lastHash();
    cast.floats("vp", CastType::vec3, positions).floats("vn", CastType::vec3, normals).floats("vt", CastType::vec3, tangents);
    cast.u8("cl", 2).integers("c0", {0xFF0000FF, 0xFF00FF00, 0xFFFF0000, 0xFFFFFFFF, 0xFF808080, 0xFF000000});
    cast.floats("c1", CastType::vec4, Vector<float>(24, 0.5f));
    cast.u8("ul", 1).floats("u0", CastType::vec2, uvs).u8("mi", 2).integers("wb", {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
    cast.floats("wv", CastType::f32, weights)
        .text("sm", "linear")
        .integers("f", {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5})
        .link("m", material)
        .end();
    constexpr float raised[] = {0, 2, 1, 1, 2, 1};
    cast.begin("blsh").text("n", "bend").link("b", mesh).integers("vi", {4, 5}).floats("vp", CastType::vec3, raised).f32("ts", 2).end();
    constexpr float strands[] = {0, 2, 0, 0, 3, 0, 1, 2, 0, 1, 2.5f, 0, 1, 3, 0};
    cast.begin("hair").text("n", "tuft").integers("se", {1, 2}).floats("pt", CastType::vec3, strands).link("m", material).end();
    cast.end();

    cast.begin("anim").text("n", "wave").f32("fr", 29.97f).u8("lo", 1);
    const auto curve = [&](const char* node, const char* kind, std::initializer_list<std::uint32_t> frames, Vector<float> values,
                           const char* mode) {
        cast.begin("curv").text("nn", node).text("kp", kind).integers("kb", frames);
        cast.floats("kv", std::string_view(kind) == "rq" ? CastType::vec4 : CastType::f32, values).text("m", mode).f32("ab", 1).end();
    };
    const float half = std::sqrt(0.5f);
    curve("bone_1", "rq", {0, 15, 300}, {0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1}, "absolute");
    curve("bone_0", "tx", {0, 300}, {0, 1}, "relative");
    curve("bone_0", "sy", {0, 300}, {1, 2}, "additive");
    curve("bend", "bs", {0, 150, 300}, {0, 1, 0}, "absolute");
    cast.begin("curv").text("nn", "bone_0").text("kp", "vb").integers("kb", {0, 10}).integers("kv", {1, 0}).text("m", "absolute").end();
    cast.begin("CMOV").text("nn", "bone_0").text("m", "relative").u8("ot", 0).u8("or", 1).u8("os", 0).end();
    cast.begin("ntif").text("n", "step").integers("kb", {15, 300}).end();
    cast.end();

    for (int i = 0; i < 2; ++i) {
        cast.begin("inst").text("n", "copy_" + std::to_string(i));
        const std::uint64_t file = cast.reserveHash();
        cast.link("rf", file).vec3("p", static_cast<float>(i), 0, 0).vec4("r", 0, 0, 0, 1).vec3("s", 1, 1, 1);
        cast.begin(castIds::file, file).text("p", "props\\crate.cast").end().end();
    }
    cast.begin("VEND").f64("d", 1.5).u16("h", 7).end();
    cast.end();
    return cast.finish();
}

inline Vector<CastFixture> castFixtures() { return {{"everything.cast", everythingCast()}}; }

}  // namespace rigcast::test
