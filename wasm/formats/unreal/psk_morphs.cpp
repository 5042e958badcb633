#include <algorithm>
#include <string>
#include <utility>

#include "core/order.hpp"
#include "core/vector.hpp"
#include "formats/unreal/psk_mesh.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::string_view infoPath = "MRPHINFO", dataPath = "MRPHDATA";

PointVertices verticesOfPoints(std::span<const std::uint32_t> points, std::size_t pointCount) {
    PointVertices result;
    result.offsets.assign(pointCount + 1, 0);
    for (const std::uint32_t point : points) ++result.offsets[point + 1];
    for (std::size_t i = 0; i < pointCount; ++i) result.offsets[i + 1] += result.offsets[i];
    result.vertices.resize(points.size());
    Vector<std::uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
    for (std::uint32_t vertex = 0; vertex < points.size(); ++vertex) result.vertices[next[points[vertex]]++] = vertex;
    return result;
}

/// A delta of MRPHDATA and a vertex that it moves.
struct Use {
    std::uint32_t vertex, delta;
};

}  // namespace

bool addMorphs(const Psk& psk, const Options& options, std::span<const std::uint32_t> points, Mesh& mesh, Arena& arena,
               Diagnostics& diagnostics) {
    const Records& infos = psk.morphInfos;
    const Records& deltas = psk.morphDeltas;
    const auto damaged = [&](const Records& records, std::size_t record, std::string_view path, const Detail& detail) {
        diagnostics.add(Code::MORPH_DAMAGED, {.offset = records.offsetOf(record), .path = path}, detail);
    };
    if (infos.empty()) {
        if (!deltas.empty()) damaged(deltas, 0, dataPath, {"{} deltas without a morph target", {deltas.size()}});
        return true;
    }
    if (!Budget::affords(points.size() * 16 + deltas.size() * 8)) return false;
    const PointVertices vertices = verticesOfPoints(points, psk.points.size());

    // Many exporters leave the normal deltas zero. Then no target has any, so that all targets of a mesh are alike.
    bool hasNormals = false;
    for (std::size_t i = 0; i < deltas.size() && !hasNormals; ++i) {
        const Vec3 normal = vec3At(deltas, i, morphDeltaField::normal);
        hasNormals = normal.x != 0 || normal.y != 0 || normal.z != 0;
    }

    Vector<Use> uses;
    std::size_t next = 0;
    for (std::size_t k = 0; k < infos.size(); ++k) {
        MorphTarget morph;
        morph.name = nameAt(infos, k, 0, infoPath, diagnostics);
        const auto announced = infos.get<std::int32_t>(k, morphInfoField::count);
        const std::size_t left = deltas.size() - next;
        const std::size_t count = announced < 0 ? 0 : std::min(static_cast<std::size_t>(announced), left);
        if (announced < 0 || static_cast<std::size_t>(announced) != count)
            damaged(infos, k, infoPath, {"{}: {} deltas announced, {} are there", {morph.name, announced, count}});
        uses.clear();
        for (std::size_t i = next; i < next + count; ++i) {
            const auto point = deltas.get<std::uint32_t>(i, morphDeltaField::point);
            if (point >= psk.points.size()) {
                damaged(deltas, i, dataPath, {"{}: point {}", {morph.name, point}});
                continue;
            }
            for (std::uint32_t v = vertices.offsets[point]; v < vertices.offsets[point + 1]; ++v)
                uses.push_back({vertices.vertices[v], static_cast<std::uint32_t>(i)});
        }
        next += count;
        const auto before = [](const Use& a, const Use& b) { return a.vertex < b.vertex; };
        if (!std::is_sorted(uses.begin(), uses.end(), before)) sortBy(uses, [](const Use& use) { return std::uint64_t{use.vertex}; });
        const auto unique = std::unique(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.vertex == b.vertex; });
        if (unique != uses.end())
            damaged(deltas, unique->delta, dataPath, {"{}: a point occurs twice, its first delta counts", {morph.name}});
        uses.erase(unique, uses.end());

        const auto indices = arena.allocate<std::uint32_t>(mesh.block, uses.size());
        const auto positions = arena.allocate<float>(mesh.block, 3 * uses.size());
        Allocation<float> normals;
        if (hasNormals) normals = arena.allocate<float>(mesh.block, 3 * uses.size());
        if (!indices || !positions || (hasNormals && !normals)) return false;
        for (std::size_t i = 0; i < uses.size(); ++i) {
            indices.values[i] = uses[i].vertex;
            // In Unreal's left-handed space: the exporter forgets to mirror them (section 6.4).
            const auto put = [&](std::size_t field, double scale, float* to) {
                const Vec3 delta = vec3At(deltas, uses[i].delta, field) * scale;
                to[0] = static_cast<float>(delta.x);
                to[1] = static_cast<float>(delta.z);
                to[2] = static_cast<float>(delta.y);
                if (allFinite(to[0], to[1], to[2])) return;
                diagnostics.add(Code::NON_FINITE, {.offset = deltas.offsetOf(uses[i].delta) + field, .path = dataPath}, morph.name);
                to[0] = to[1] = to[2] = 0;
            };
            put(morphDeltaField::position, options.unitScale, &positions.values[3 * i]);
            if (hasNormals) put(morphDeltaField::normal, 1, &normals.values[3 * i]);
        }
        morph.vertices = indices.column;
        morph.positions = positions.column;
        morph.normals = normals.column;
        mesh.morphs.push_back(std::move(morph));
    }
    if (next < deltas.size()) damaged(deltas, next, dataPath, {"{} deltas belong to no morph target", {deltas.size() - next}});
    return true;
}

}  // namespace rigcast::unreal
