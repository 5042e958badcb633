// Builds small Cast files for tests.
#pragma once

#include <functional>
#include <string>

#include "core/vector.hpp"
#include "support/open.hpp"
#include "support/writers/cast.hpp"

namespace rigcast::test {

inline constexpr float triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

/// Adds positions and faces of a triangle to the open mesh.
inline CastBuilder& addTriangle(CastBuilder& cast) { return cast.floats("vp", CastType::vec3, triangle).integers("f", {0, 1, 2}); }

/// Returns a file with a root and the nodes that `fill` adds to it.
inline Vector<std::uint8_t> castFile(const std::function<void(CastBuilder&)>& fill) {
    CastBuilder cast;
    cast.begin("root");
    fill(cast);
    cast.end();
    return cast.finish();
}

/// Returns a file with Root[0]/Model[0] and the nodes that `fill` adds to it.
inline Vector<std::uint8_t> modelFile(const std::function<void(CastBuilder&)>& fill) {
    return castFile([&](CastBuilder& cast) {
        cast.begin("modl");
        fill(cast);
        cast.end();
    });
}

/// Returns a file with Root[0]/Model[0]/Mesh[0]: a triangle and the properties that `fill` adds.
inline Vector<std::uint8_t> meshFile(const std::function<void(CastBuilder&)>& fill) {
    return modelFile([&](CastBuilder& cast) {
        addTriangle(cast.begin("mesh"));
        fill(cast);
        cast.end();
    });
}

/// Returns a file with Root[0]/Animation[0] at 10 frames per second.
inline Vector<std::uint8_t> animationFile(const std::function<void(CastBuilder&)>& fill) {
    return castFile([&](CastBuilder& cast) {
        cast.begin("anim").f32("fr", 10);
        fill(cast);
        cast.end();
    });
}

/// Adds a bone at x, y, z relative to its parent.
inline std::uint64_t addBone(CastBuilder& cast, std::string_view name, std::uint32_t parent, float x = 0, float y = 0, float z = 0) {
    cast.begin("bone").text("n", name).u32("p", parent).vec3("lp", x, y, z).vec4("lr", 0, 0, 0, 1).end();
    return cast.lastHash();
}

/// Adds an absolute curve of floats.
inline void addCurve(CastBuilder& cast, std::string_view node, std::string_view kind, std::initializer_list<std::uint32_t> frames,
                     Vector<float> values, std::string_view mode = "absolute") {
    cast.begin("curv").text("nn", node).text("kp", kind).integers("kb", frames);
    cast.floats("kv", kind == "rq" ? CastType::vec4 : CastType::f32, values).text("m", mode).end();
}

inline std::unique_ptr<Opened> openCast(const Vector<std::uint8_t>& bytes, const std::string& options = "") {
    return readBytes("cast", bytes, {.name = "file.cast", .options = options});
}

/// Asserts that exactly these findings were reported.
inline void expectFindings(const Opened& opened, const Vector<std::string>& wanted) { EXPECT_EQ(findingsOf(opened), wanted); }

template <class T>
Vector<T> list(const Opened& opened, const Column<T>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

inline const Node& nodeNamed(const Opened& opened, std::string_view name) {
    for (const Node& node : opened.scene.nodes)
        if (opened.scene.strings[node.name] == name) return node;
    ADD_FAILURE() << "no node " << name;
    return opened.scene.nodes[0];
}

}  // namespace rigcast::test
