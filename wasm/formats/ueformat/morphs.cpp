#include <cmath>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/order.hpp"
#include "formats/ueformat/model.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::size_t deltaSize = 28, normalAt = 12, vertexAt = 24;
constexpr double mostNumber = 1e30;

Vec3 vec3(const Records& deltas, std::size_t i, std::size_t at) {
    return {deltas.get<float>(i, at), deltas.get<float>(i, at + 4), deltas.get<float>(i, at + 8)};
}

}  // namespace

void addMorphs(Build& build, const Part& part, Mesh& mesh) {
    Arena& arena = build.arena;
    for (Items items(part, build.document, build.diagnostics); items.next() && !arena.exhausted();) {
        const std::string_view name = items.text();
        const Records deltas = items.records(deltaSize);
        if (!items.isComplete() || !Budget::affords(sizeof(MorphTarget) + name.size() + deltas.size() * 16)) return;
        Vector<std::uint64_t> keys;  // vertex and index of the delta
        std::uint64_t outside = 0, repeated = 0, damaged = 0;
        for (std::size_t i = 0; i < deltas.size(); ++i) {
            const auto vertex = deltas.get<std::uint32_t>(i, vertexAt);
            if (vertex < mesh.vertexCount)
                keys.push_back(std::uint64_t{vertex} << 32 | i);
            else
                ++outside;
        }
        sortBy(keys, [](std::uint64_t key) { return key; });
        std::size_t kept = 0;
        for (const std::uint64_t key : keys) {
            if (kept > 0 && keys[kept - 1] >> 32 == key >> 32)
                ++repeated;
            else
                keys[kept++] = key;
        }
        keys.resize(kept);
        if (outside) build.diagnostics.add(Code::MORPH_DAMAGED, items.location(), "a vertex does not exist", outside);
        if (repeated)
            build.diagnostics.add(Code::MORPH_DAMAGED, items.location(), "a vertex occurs twice, its first delta is used", repeated);
        const auto vertices = arena.allocate<std::uint32_t>(mesh.block, kept);
        const auto positions = arena.allocate<float>(mesh.block, 3 * kept), normals = arena.allocate<float>(mesh.block, 3 * kept);
        if (!vertices || !positions || !normals) return;
        for (std::size_t i = 0; i < kept; ++i) {
            const auto delta = static_cast<std::size_t>(keys[i] & 0xFFFFFFFF);
            vertices.values[i] = static_cast<std::uint32_t>(keys[i] >> 32);
            const auto put = [&](const Vec3& value, float* to) {
                const bool isSound = length(value) < mostNumber;
                damaged += !isSound;
                to[0] = isSound ? static_cast<float>(value.x) : 0;
                to[1] = isSound ? static_cast<float>(value.y) : 0;
                to[2] = isSound ? static_cast<float>(value.z) : 0;
            };
            put(build.space.position(vec3(deltas, delta, 0)), &positions.values[3 * i]);
            put(build.space.direction(vec3(deltas, delta, normalAt)), &normals.values[3 * i]);
        }
        if (damaged) build.diagnostics.add(Code::NON_FINITE, items.location(), noDetail, damaged);
        MorphTarget morph;
        morph.name = nameOf(name, items.location(), build.diagnostics);
        morph.vertices = vertices.column;
        morph.positions = positions.column;
        morph.normals = normals.column;
        mesh.morphs.push_back(std::move(morph));
    }
}

}  // namespace rigcast::ueformat
