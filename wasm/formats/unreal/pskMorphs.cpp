#include <algorithm>
#include <string>
#include <utility>

#include "core/budget.hpp"
#include "core/order.hpp"
#include "core/vector.hpp"
#include "formats/unreal/pskMesh.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::string_view infoPath = "MRPHINFO", dataPath = "MRPHDATA";

/// The vertices of each point in ascending order. Point p has vertices[offsets[p]] to
/// vertices[offsets[p + 1] - 1].
struct PointVertices {
    Vector<std::uint32_t> offsets;
    Vector<std::uint32_t> vertices;
};

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

/// A vertex that a morph target moves, and the index of its delta in MRPHDATA.
struct Use {
    std::uint32_t vertex, delta;
};

/// Adds morph targets one at a time. If a morph target has several deltas for a point, uses the
/// first one. Counts vertices before writing them, because a point can have any number of vertices.
class MorphBuilder {
public:
    MorphBuilder(const Psk& psk, const Options& options, std::span<const std::uint32_t> points, Mesh& mesh, Arena& arena,
                 Diagnostics& diagnostics)
        : psk_(psk),
          options_(options),
          mesh_(mesh),
          arena_(arena),
          diagnostics_(diagnostics),
          vertices_(verticesOfPoints(points, psk.points.size())),
          seenIn_(psk.points.size(), none) {
        // Many exporters write zeros as normal deltas. If all are zero, omits normals; otherwise
        // all targets get normals, because the targets of a mesh must have the same attributes.
        for (std::size_t i = 0; i < psk.morphDeltas.size() && !hasNormals_; ++i) {
            const Vec3 normal = vec3At(psk.morphDeltas, i, morphDeltaField::normal);
            hasNormals_ = normal.x != 0 || normal.y != 0 || normal.z != 0;
        }
    }

    /// Adds target `k` with the deltas `first` to `end` - 1. Returns false if the budget is
    /// exceeded.
    bool add(std::uint32_t k, std::string name, std::size_t first, std::size_t end) {
        const std::uint64_t moved = findPoints(k, name, first, end);
        if (!Budget::spend(moved * (hasNormals_ ? 7 : 4))) {  // an index and 3 or 6 floats per vertex
            diagnostics_.add(Code::WORK_LIMIT, {.offset = psk_.morphInfos.offsetOf(k), .path = infoPath},
                             {"{}: {} vertices on {} points", {name, moved, deltas_.size()}});
            return true;
        }
        uses_.clear();
        for (const std::uint32_t i : deltas_)
            for (const std::uint32_t vertex : verticesOf(pointOf(i))) uses_.push_back({vertex, i});
        const auto before = [](const Use& a, const Use& b) { return a.vertex < b.vertex; };
        if (!std::is_sorted(uses_.begin(), uses_.end(), before)) sortBy(uses_, [](const Use& use) { return std::uint64_t{use.vertex}; });
        return write(std::move(name));
    }

private:
    std::uint32_t pointOf(std::size_t delta) const { return psk_.morphDeltas.get<std::uint32_t>(delta, morphDeltaField::point); }
    std::span<const std::uint32_t> verticesOf(std::uint32_t point) const {
        const std::uint32_t first = vertices_.offsets[point];
        return std::span(vertices_.vertices).subspan(first, vertices_.offsets[point + 1] - first);
    }

    /// Sets `deltas_` to the valid deltas of the target, one per point. Returns the number of
    /// vertices that they move.
    std::uint64_t findPoints(std::uint32_t k, const std::string& name, std::size_t first, std::size_t end) {
        std::uint64_t moved = 0;
        deltas_.clear();
        bool isTold = false;
        for (std::size_t i = first; i < end; ++i) {
            const std::uint32_t point = pointOf(i);
            if (point >= psk_.points.size()) {
                damagedDelta(i, {"{}: point {}", {name, point}});
            } else if (seenIn_[point] == k) {
                if (!isTold) damagedDelta(i, {"{}: a point occurs twice, its first delta is used", {name}});
                isTold = true;
            } else {
                seenIn_[point] = k;
                deltas_.push_back(static_cast<std::uint32_t>(i));
                moved += verticesOf(point).size();
            }
        }
        return moved;
    }

    bool write(std::string name) {
        const auto indices = arena_.allocate<std::uint32_t>(mesh_.block, uses_.size());
        const auto positions = arena_.allocate<float>(mesh_.block, 3 * uses_.size());
        Allocation<float> normals;
        if (hasNormals_) normals = arena_.allocate<float>(mesh_.block, 3 * uses_.size());
        if (!indices || !positions || (hasNormals_ && !normals)) return false;
        for (std::size_t i = 0; i < uses_.size(); ++i) {
            indices.values[i] = uses_[i].vertex;
            put(uses_[i].delta, morphDeltaField::position, options_.unitScale, name, &positions.values[3 * i]);
            if (hasNormals_) put(uses_[i].delta, morphDeltaField::normal, 1, name, &normals.values[3 * i]);
        }
        MorphTarget morph;
        morph.name = std::move(name);
        morph.vertices = indices.column;
        morph.positions = positions.column;
        morph.normals = normals.column;
        mesh_.morphs.push_back(std::move(morph));
        return true;
    }

    /// Writes a delta in scene space. Exporters do not mirror deltas, so the file contains them in
    /// Unreal's left-handed space (section 6.4).
    void put(std::uint32_t i, std::size_t field, double scale, const std::string& name, float* to) {
        const Vec3 delta = vec3At(psk_.morphDeltas, i, field) * scale;
        to[0] = static_cast<float>(delta.x);
        to[1] = static_cast<float>(delta.z);
        to[2] = static_cast<float>(delta.y);
        if (allFinite(to[0], to[1], to[2])) return;
        diagnostics_.add(Code::NON_FINITE, {.offset = psk_.morphDeltas.offsetOf(i) + field, .path = dataPath}, name);
        to[0] = to[1] = to[2] = 0;
    }

    void damagedDelta(std::size_t i, const Detail& detail) {
        diagnostics_.add(Code::MORPH_DAMAGED, {.offset = psk_.morphDeltas.offsetOf(i), .path = dataPath}, detail);
    }

    const Psk& psk_;
    const Options& options_;
    Mesh& mesh_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    PointVertices vertices_;
    Vector<std::uint32_t> seenIn_;  // for each point, the last target that moves it
    bool hasNormals_ = false;
    Vector<std::uint32_t> deltas_;
    Vector<Use> uses_;
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
    if (!Budget::affords(points.size() * 16 + psk.points.size() * 12 + deltas.size() * 4)) return false;
    MorphBuilder maker(psk, options, points, mesh, arena, diagnostics);
    std::size_t next = 0;
    for (std::uint32_t k = 0; k < infos.size(); ++k) {
        std::string name = nameAt(infos, k, 0, infoPath, diagnostics);
        const auto declared = infos.get<std::int32_t>(k, morphInfoField::count);
        const std::size_t left = deltas.size() - next;
        const std::size_t count = declared < 0 ? 0 : std::min(static_cast<std::size_t>(declared), left);
        if (declared < 0 || static_cast<std::size_t>(declared) != count)
            damaged(infos, k, infoPath, {"{}: {} deltas declared, {} found", {name, declared, count}});
        if (!maker.add(k, std::move(name), next, next + count)) return false;
        next += count;
    }
    if (next < deltas.size()) damaged(deltas, next, dataPath, {"{} deltas belong to no morph target", {deltas.size() - next}});
    return true;
}

}  // namespace rigcast::unreal
