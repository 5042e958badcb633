// Compiled for speed, without vectors.
#include "formats/unreal/pskMesh.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/vector.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/skeleton.hpp"
#include "formats/unreal/tally.hpp"
#include "scene/lower.hpp"

namespace rigcast::unreal {

namespace {

/// Empties a vector and gives its memory back, which `clear` and `= {}` do not.
template <class T>
void release(Vector<T>& values) {
    Vector<T>().swap(values);
}

/// Builds one mesh; every step fills what the next one needs.
/// What runs once per file is `cold`, which compiles it for size; the heavy loops are `noinline`, or they would become part of it.
class MeshBuilder {
public:
    MeshBuilder(const Psk& psk, const Options& options, Arena& arena, Diagnostics& diagnostics)
        : psk_(psk), options_(options), arena_(arena), diagnostics_(diagnostics) {}

    /// Proves indices, counts triangles by material. False where no triangle is left.
    bool countTriangles() {
        const std::size_t temporary = psk_.wedges.size() * 13 + psk_.faces.size();
        if (!Budget::affords(temporary)) return false;
        resolvePoints();
        checkFaces();
        for (std::size_t material = 0; material < 256; ++material) {
            if (triangles_[material]) materialCount_ = material + 1;
            triangleCount_ += triangles_[material];
        }
        return triangleCount_ > 0;
    }

    std::size_t materialCount() const { return materialCount_; }

    [[gnu::cold]] bool build(Mesh& mesh) {
        mesh.block = arena_.addBlock();
        numberVertices();
        const bool hasNormals = takesNormals();
        if (!hasNormals && hasGroups_) {
            Vector<float> splitNormals;
            return emitTriangles(mesh, true) && split(splitNormals) && addLonePoints() && setPositions(mesh) &&
                   setNormals(mesh, false, splitNormals) && setAttributes(mesh);
        }
        return addLonePoints() && emitTriangles(mesh, false) && setPositions(mesh) && setNormals(mesh, hasNormals, {}) &&
               setAttributes(mesh);
    }

    /// The point of every vertex.
    std::span<const std::uint32_t> points() const { return points_; }
    /// The same, empty where vertex = point.
    std::span<const std::uint32_t> pointsUnlessSame() const { return isPointVertex_ ? std::span<const std::uint32_t>{} : points(); }

private:
    /// The point of every wedge, `none` where there is no such point.
    [[gnu::noinline]] void resolvePoints() {
        const Wedges& wedges = psk_.wedges;
        const std::size_t count = psk_.points.size();
        pointOfWedge_.resize(wedges.size());
        Tally bad;
        for (std::size_t i = 0; i < wedges.size(); ++i) {
            const std::uint32_t point = wedges.point(i);
            pointOfWedge_[i] = point < count ? point : none;
            if (point >= count) bad.add(i);
        }
        bad.report(diagnostics_, Code::VERTEX_POINT_RANGE, wedges.records, "VTXW0000", "wedge");
    }

    [[gnu::noinline]] void checkFaces() {
        // Bytes are written below, which may be anything's for all the compiler knows: what it needs to keep at hand is copied here.
        const Faces faces = psk_.faces;
        const Wedges wedges = psk_.wedges;
        const std::size_t wedgeCount = wedges.size();
        isKept_.resize(faces.size());
        isUsed_.resize(wedgeCount);
        Tally outside, degenerate, disagrees, placeholder;
        const std::size_t known = psk_.materials.size();
        const std::uint32_t firstGroup = faces.smoothingOf(0);
        const std::uint32_t* pointOfWedge = pointOfWedge_.data();
        std::uint8_t *isKept = isKept_.data(), *isUsed = isUsed_.data();
        bool hasGroups = false;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            hasGroups |= faces.smoothingOf(i) != firstGroup;
            std::uint32_t w[3];
            faces.wedgesOf(i, w);
            if (w[0] >= wedgeCount || w[1] >= wedgeCount || w[2] >= wedgeCount) {
                outside.add(i);
                continue;
            }
            const std::uint32_t a = pointOfWedge[w[0]], b = pointOfWedge[w[1]], c = pointOfWedge[w[2]];
            if (a == none || b == none || c == none) continue;
            if (a == b || b == c || c == a) {
                degenerate.add(i);
                continue;
            }
            const std::uint8_t material = faces.materialOf(i);
            if (wedges.materialOf(w[0]) != material || wedges.materialOf(w[1]) != material || wedges.materialOf(w[2]) != material)
                disagrees.add(i);
            if (material >= known) placeholder.add(i);
            ++triangles_[material];
            isKept[i] = 1;
            isUsed[w[0]] = isUsed[w[1]] = isUsed[w[2]] = 1;
        }
        hasGroups_ = hasGroups;
        outside.report(diagnostics_, Code::FACE_INDEX_RANGE, faces.records, "FACE0000", "face");
        degenerate.mention(diagnostics_, Code::FACE_DEGENERATE, faces.records, "FACE0000", "faces");
        disagrees.mention(diagnostics_, Code::MATERIAL_DISAGREES, faces.records, "FACE0000", "faces");
        placeholder.report(diagnostics_, Code::MATERIAL_RANGE, faces.records, "FACE0000", "face");
    }

    /// One vertex a used wedge, in the order of the wedges; those that no face names are left out of what is drawn. Where all are used, vertex
    /// = wedge, and neither list is made.
    [[gnu::noinline]] void numberVertices() {
        if (std::find(isUsed_.begin(), isUsed_.end(), 0) == isUsed_.end()) {
            points_ = std::move(pointOfWedge_);
        } else {
            vertexOfWedge_.resize(isUsed_.size());
            for (std::uint32_t wedge = 0; wedge < isUsed_.size(); ++wedge) {
                if (!isUsed_[wedge]) continue;
                vertexOfWedge_[wedge] = static_cast<std::uint32_t>(wedges_.size());
                wedges_.push_back(wedge);
                points_.push_back(pointOfWedge_[wedge]);
            }
        }
        wedgeVertices_ = points_.size();
        release(pointOfWedge_);
        release(isUsed_);
    }

    /// Triangles in material order, each material's in the order of the file, turned to counter-clockwise. Straight to where they stay unless
    /// they will be split or narrowed.
    [[gnu::noinline]] bool emitTriangles(Mesh& mesh, bool withGroups) {
        std::array<std::size_t, 256> next{};
        std::size_t total = 0;
        for (std::size_t material = 0; material < 256; ++material) {
            next[material] = total;
            if (triangles_[material])
                mesh.groups.push_back({static_cast<std::uint32_t>(3 * total), static_cast<std::uint32_t>(3 * triangles_[material]),
                                       static_cast<std::uint32_t>(material)});
            total += triangles_[material];
        }
        if (!withGroups && points_.size() > 65535) {
            const auto indices = arena_.allocate<std::uint32_t>(mesh.block, 3 * total);
            if (!indices) return false;
            mesh.indices32 = indices.column;
            triangleIndices_ = indices.values;
        } else {
            if (!Budget::affords(total * 16)) return false;
            indices_.resize(3 * total);
            triangleIndices_ = indices_;
            if (withGroups) groupsOfTriangles_.resize(total);
        }
        const Faces& faces = psk_.faces;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            if (!isKept_[i]) continue;
            std::uint32_t w[3];
            faces.wedgesOf(i, w);
            const std::size_t triangle = next[faces.materialOf(i)]++;
            std::uint32_t* to = &triangleIndices_[3 * triangle];
            if (vertexOfWedge_.empty()) {
                to[0] = w[0];
                to[1] = w[2];
                to[2] = w[1];
            } else {
                to[0] = vertexOfWedge_[w[0]];
                to[1] = vertexOfWedge_[w[2]];
                to[2] = vertexOfWedge_[w[1]];
            }
            if (withGroups) groupsOfTriangles_[triangle] = faces.smoothingOf(i);
        }
        release(vertexOfWedge_);
        release(isKept_);
        return true;
    }

    bool takesNormals() {
        const Records& normals = psk_.normals;
        if (normals.empty() || normals.size() == psk_.points.size()) return !normals.empty();
        reportCount(normals, "VTXNORMS", psk_.points.size(), "points", diagnostics_);
        return false;
    }

    [[gnu::cold]] bool split(Vector<float>& normals) {
        if (!Budget::affords(indices_.size() * 40)) return false;
        Vector<float> positions(3 * points_.size());
        gatherPositions(positions, nullptr);
        SmoothingSplit result = smoothingSplit(positions, indices_, groupsOfTriangles_, points_);
        indices_ = std::move(result.indices);
        triangleIndices_ = indices_;
        normals = std::move(result.normals);
        Vector<std::uint32_t> wedges(result.sourceVertex.size()), points(result.sourceVertex.size());
        for (std::size_t i = 0; i < wedges.size(); ++i) {
            wedges[i] = wedges_.empty() ? result.sourceVertex[i] : wedges_[result.sourceVertex[i]];
            points[i] = points_[result.sourceVertex[i]];
        }
        wedges_ = std::move(wedges);
        points_ = std::move(points);
        wedgeVertices_ = points_.size();
        release(groupsOfTriangles_);
        return true;
    }

    /// Points that no triangle reaches get a vertex of their own behind all others, so that every point of the file can be asked for its place.
    [[gnu::cold]] bool addLonePoints() {
        const std::size_t count = psk_.points.size();
        std::size_t same = 0;
        while (same < points_.size() && points_[same] == same) ++same;
        isPointVertex_ = same == count && same == points_.size();
        if (isPointVertex_) return true;
        if (!Budget::affords(count)) return false;
        Vector<std::uint8_t> isReached(count);
        std::size_t reached = 0;
        for (const std::uint32_t point : points_) {
            reached += !isReached[point];
            isReached[point] = 1;
        }
        if (!Budget::affords((count - reached) * 4)) return false;
        points_.reserve(points_.size() + count - reached);
        for (std::uint32_t point = 0; point < count && reached < count; ++point)
            if (!isReached[point]) points_.push_back(point);
        return true;
    }

    [[gnu::noinline]] void gatherPositions(std::span<float> out, Tally* bad) const {
        const Records& points = psk_.points;
        const auto scale = static_cast<float>(options_.unitScale);
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            if (!writePoint(points, points_[i], 0, scale, &out[3 * i]) && bad) bad->add(points_[i]);
        }
    }

    [[gnu::cold]] bool setPositions(Mesh& mesh) {
        if (points_.size() > 0xFFFFFFF0u / 3) return false;
        mesh.vertexCount = static_cast<std::uint32_t>(points_.size());
        mesh.sourceVertexCount = static_cast<std::uint32_t>(psk_.points.size());
        mesh.loneVertices = static_cast<std::uint32_t>(points_.size() - wedgeVertices_);
        const auto positions = arena_.allocate<float>(mesh.block, 3 * points_.size());
        const auto sources = arena_.allocate<std::uint32_t>(mesh.block, points_.size());
        if (!positions || !sources) return false;
        Tally bad;
        gatherPositions(positions.values, &bad);
        bad.report(diagnostics_, Code::NON_FINITE, psk_.points, "PNTS0000", "point");
        std::copy(points_.begin(), points_.end(), sources.values.begin());
        mesh.positions = positions.column;
        mesh.sourceVertices = sources.column;
        reportFlat(positions.values);
        return true;
    }

    void reportFlat(std::span<const float> positions) {
        for (std::size_t i = 3; i < positions.size(); ++i)
            if (positions[i] != positions[i % 3]) return;
        diagnostics_.add(Code::MESH_EMPTY, {.offset = psk_.points.offsetOf(0), .path = "PNTS0000"});
    }

    [[gnu::cold]] bool setNormals(Mesh& mesh, bool hasNormals, std::span<const float> splitNormals) {
        const auto normals = arena_.allocate<float>(mesh.block, 3 * points_.size());
        if (!normals) return false;
        mesh.normals = normals.column;
        mesh.normalsComputed = !hasNormals;
        if (hasNormals) {
            return gatherNormals(mesh, normals.values);
        } else if (!splitNormals.empty()) {
            float* to = std::copy(splitNormals.begin(), splitNormals.end(), normals.values.data());
            for (std::size_t i = splitNormals.size(); i < normals.values.size(); ++i) *to++ = i % 3 == 1;
        } else {
            smoothNormals(arena_.values(mesh.positions), triangleIndices_, pointsUnlessSame(), normals.values);
        }
        return true;
    }

    [[gnu::noinline]] bool gatherNormals(const Mesh& mesh, std::span<float> out) {
        Tally bad;
        bool isWhole = true;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const float x = psk_.normals.get<float>(points_[i], 0), y = psk_.normals.get<float>(points_[i], 4),
                        z = psk_.normals.get<float>(points_[i], 8);
            const float squared = x * x + y * y + z * z;
            float* to = &out[3 * i];
            if (squared > 1e-12f && squared < 1e12f) {  // neither zero nor anything that is not finite
                const float scale = std::abs(squared - 1) < 1e-4f ? 1 : 1 / std::sqrt(squared);
                to[0] = x * scale;
                to[1] = z * scale;
                to[2] = -y * scale;
            } else {
                to[0] = to[1] = to[2] = 0;
                isWhole = false;
                if (!(squared <= 1e-12f)) bad.add(points_[i]);
            }
        }
        if (isWhole) return true;
        bad.report(diagnostics_, Code::NON_FINITE, psk_.normals, "VTXNORMS", "normal");
        if (!Budget::affords(points_.size() * 40)) return false;
        const std::uint64_t repaired = repairNormals(arena_.values(mesh.positions), triangleIndices_, pointsUnlessSame(), out);
        if (repaired) diagnostics_.add(Code::NORMAL_DAMAGED, {.offset = psk_.normals.offsetOf(0), .path = "VTXNORMS"}, noDetail, repaired);
        return true;
    }

    [[gnu::cold]] bool setAttributes(Mesh& mesh) {
        return addWedgeAttributes(psk_, options_, {wedges_, wedgeVertices_, points_.size()}, mesh, arena_, diagnostics_) &&
               setIndices(mesh);
    }

    [[gnu::cold]] bool setIndices(Mesh& mesh) {
        if (mesh.indices32.present()) return true;
        if (mesh.vertexCount <= 65535) {
            const auto indices = arena_.allocate<std::uint16_t>(mesh.block, indices_.size());
            if (!indices) return false;
            for (std::size_t i = 0; i < indices_.size(); ++i) indices.values[i] = static_cast<std::uint16_t>(indices_[i]);
            mesh.indices16 = indices.column;
        } else {
            mesh.indices32 = arena_.copy(mesh.block, std::span<const std::uint32_t>(indices_));
            if (!mesh.indices32.present()) return false;
        }
        release(indices_);
        return true;
    }

    const Psk& psk_;
    const Options& options_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    Vector<std::uint32_t> pointOfWedge_, vertexOfWedge_;
    Vector<std::uint8_t> isKept_, isUsed_;
    std::array<std::size_t, 256> triangles_{};
    bool hasGroups_ = false;
    bool isPointVertex_ = false;  // vertex = point
    std::size_t materialCount_ = 0, triangleCount_ = 0;
    Vector<std::uint32_t> points_;   // of every vertex
    Vector<std::uint32_t> wedges_;   // of the first `wedgeVertices_` vertices; empty where vertex = wedge
    std::size_t wedgeVertices_ = 0;  // lone points follow
    Vector<std::uint32_t> indices_, groupsOfTriangles_;
    std::span<std::uint32_t> triangleIndices_;  // of `indices_` or of the mesh
};

}  // namespace

[[gnu::noinline, gnu::cold]] bool addMesh(const Psk& psk, const Options& options, std::uint32_t skin, Scene& scene, Arena& arena,
                                          Diagnostics& diagnostics) {
    bool complete = true;
    const auto require = [&](const Records& records, std::string_view id) {
        if (records.empty()) diagnostics.add(Code::MISSING_CHUNK, {.path = id}, {"{} is missing, empty or unusable", {id}});
        complete = complete && !records.empty();
    };
    require(psk.points, "PNTS0000");
    require(psk.wedges.records, "VTXW0000");
    require(psk.faces.records, "FACE0000");
    if (!complete) return false;
    MeshBuilder builder(psk, options, arena, diagnostics);
    if (!builder.countTriangles()) return false;
    addMaterials(psk, builder.materialCount(), scene, diagnostics);
    Mesh mesh;
    mesh.name = scene.asset.name;
    if (!builder.build(mesh)) return false;
    if (skin != none && !addWeights(psk, builder.pointsUnlessSame(), mesh, arena, diagnostics)) return false;
    if (!addMorphs(psk, options, builder.points(), mesh, arena, diagnostics)) return false;
    showMesh(std::move(mesh), skin, scene);
    return true;
}

[[gnu::cold]] void showMesh(Mesh&& mesh, std::uint32_t skin, Scene& scene) {
    scene.meshes.push_back(std::move(mesh));
    Renderer renderer;
    renderer.name = scene.asset.name;
    renderer.mesh = static_cast<std::uint32_t>(scene.meshes.size() - 1);
    renderer.skin = skin;
    scene.renderers.push_back(std::move(renderer));
}

}  // namespace rigcast::unreal
