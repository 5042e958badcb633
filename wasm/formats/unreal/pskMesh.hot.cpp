#include "formats/unreal/pskMesh.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "formats/unreal/pskWeights.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/skeleton.hpp"
#include "formats/unreal/tally.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"

namespace rigcast::unreal {

namespace {

/// Writes a field of the Point of each vertex in the window. `size`: number of bytes. `field`: byte
/// offset in Point.
template <std::size_t size, class To>
[[gnu::noinline]] void writeField(To& to, const Points& points, std::size_t field) {
    auto* out = to.next(points.window().size() * (size / sizeof(*to.next(0))));
    constexpr std::size_t width = size / sizeof(*out);
    for (const std::uint32_t point : points.window()) {
        std::memcpy(out, reinterpret_cast<const std::uint8_t*>(&points[point]) + field, size);
        out += width;
    }
    to.commit(points.window().size() * width);
}

/// Reports how many vertices have a damaged point.
template <class IsDamaged>
void reportPoints(std::span<const std::uint32_t> pointOfVertex, const Records& records, std::string_view path, std::string_view what,
                  Diagnostics& diagnostics, const IsDamaged& isDamaged) {
    Tally bad;
    for (const std::uint32_t point : pointOfVertex)
        if (isDamaged(point)) bad.add(point);
    bad.report(diagnostics, Code::NON_FINITE, records, path, what);
}

}  // namespace

PskMesh::PskMesh(Psk& psk, const Options& options, const Input& input, Arena& arena)
    : psk_(psk),
      options_(options),
      arena_(arena),
      windows_{input.source},
      isStreamed_(hasNormals() && psk.morphInfos.empty() && psk.morphDeltas.empty() && !input.tangents),
      topology_(psk, windows_),
      attributes_(psk, options, windows_) {
    if (!isStreamed_) loadIntoHeap();
}

/// Loads the large chunks into memory.
[[gnu::cold]] void PskMesh::loadIntoHeap() {
    isStreamed_ = false;
    if (windows_.source) loadBulkChunks(*windows_.source, psk_.directory);
    windows_.source = nullptr;
}

[[gnu::cold]] bool PskMesh::add(std::uint32_t skin, Scene& scene, Diagnostics& diagnostics) {
    bool complete = true;
    const auto require = [&](const Records& records, std::string_view id) {
        if (records.empty()) diagnostics.add(Code::MISSING_CHUNK, {.path = id}, {"{} is missing, empty or damaged", {id}});
        complete = complete && !records.empty();
    };
    require(psk_.points, "PNTS0000");
    require(psk_.wedges.records, "VTXW0000");
    require(psk_.faces.records, "FACE0000");
    if (!complete) return false;
    Skin* const skinned = skin == none ? nullptr : &scene.skins[skin];
    Mesh mesh = begin(psk_.wedges.size(), psk_.faces.size(), skinned);
    if (!readTopology(mesh, scene, diagnostics) || !readColumns(skinned, mesh, diagnostics)) {
        arena_.dropBlock();
        return false;
    }
    mesh.name = scene.asset.name;
    scene.meshes.push_back(std::move(mesh));
    Renderer renderer;
    renderer.name = scene.asset.name;
    renderer.mesh = static_cast<std::uint32_t>(scene.meshes.size() - 1);
    renderer.skin = skin;
    scene.renderers.push_back(std::move(renderer));
    return true;
}

/// Reads the faces and determines the vertices. Returns false if there are no triangles or the
/// budget is exceeded.
[[gnu::cold]] bool PskMesh::readTopology(Mesh& mesh, Scene& scene, Diagnostics& diagnostics) {
    if (!topology_.readFaces(mesh, arena_, diagnostics)) return false;
    addMaterials(psk_, topology_.materialCount(), scene, diagnostics);
    if (!hasNormals() && !psk_.normals.empty()) reportCount(psk_.normals, "VTXNORMS", psk_.points.size(), "points", diagnostics);
    if (!hasNormals() && topology_.hasSmoothingGroups()) {
        splitNormals_ = topology_.split(static_cast<float>(options_.unitScale));
        if (splitNormals_.empty()) return false;
    }
    if (!topology_.addLonePoints() || topology_.points().size() > 0xFFFFFFF0u / 3) return false;
    if (topology_.loneVertices()) loadIntoHeap();
    return true;
}

[[gnu::cold]] bool PskMesh::readColumns(Skin* skin, Mesh& mesh, Diagnostics& diagnostics) {
    const auto restart = [&] {
        arena_.dropBlock();
        mesh = begin(topology_.points().size(), topology_.triangleCount(), skin);
    };
    if (!topology_.hasExpectedIndices()) restart();
    if (isStreamed_) {
        if (stream(skin, mesh, diagnostics)) return true;
        if (arena_.exhausted()) return false;
        loadIntoHeap();
        restart();
    }
    return readInHeap(skin, mesh, diagnostics);
}

/// Returns a mesh with a new block. If the mesh is streamed, the block has space for all columns
/// that `stream` writes.
[[gnu::cold]] Mesh PskMesh::begin(std::uint64_t vertices, std::uint64_t triangles, bool isSkinned) {
    Mesh mesh;
    if (!isStreamed_) {
        mesh.block = arena_.addBlock();
        return mesh;
    }
    const auto bytesPerIndex = vertices > narrowVertices ? 4u : 2u, bytesPerJoint = psk_.bones.size() <= narrowJoints ? 1u : 2u;
    std::uint64_t size = paddedSize(3 * triangles * bytesPerIndex) + attributes_.columnBytes(vertices);
    size += 2 * paddedSize(12 * vertices) + paddedSize(4 * vertices);  // positions, normals, source vertices
    if (isSkinned) size += paddedSize(4 * vertices * bytesPerJoint) + 16 * vertices;
    mesh.block = arena_.addExternalBlock(size);
    return mesh;
}

/// Writes the mesh to an external buffer. Returns false if a column must be in the heap or the
/// budget is exceeded.
[[gnu::cold]] bool PskMesh::stream(Skin* skin, Mesh& mesh, Diagnostics& diagnostics) {
    InfluenceStream influences(psk_, windows_);
    Points points(psk_, static_cast<float>(options_.unitScale), windows_, topology_.points());
    // Computes bounds while writing columns, because written columns cannot be read again.
    JointBoxes boxes(skin ? arena_.values(skin->inverseBindMatrices) : std::span<const float>{}, skin ? skin->joints.count : 0);
    if (skin) points.addInfluences(influences, &boxes);
    const bool isWritten = points && writeColumns(mesh, points, skin != nullptr);
    if (!isWritten || !points.areFinite() || !points.haveNormals() || !points.haveInfluences() || (skin && !influences.isAtEnd()))
        return false;
    points.bound(mesh);
    if (points.areFlat()) diagnostics.add(Code::MESH_EMPTY, {.offset = psk_.points.offsetOf(0), .path = "PNTS0000"});
    attributes_.report(diagnostics);
    if (!skin) return true;
    mesh.maxInfluences = influences.summary().maximum;
    boxes.extendRange(mesh);
    const auto out = arena_.allocate<float>(skin->block, 6 * std::uint64_t{skin->joints.count});
    if (!out) return false;
    boxes.write(out.values);
    skin->jointBoxes = out.column;
    reportInfluences(psk_, influences.summary(), diagnostics);
    return true;
}

[[gnu::cold]] bool PskMesh::readInHeap(bool isSkinned, Mesh& mesh, Diagnostics& diagnostics) {
    const std::span<const std::uint32_t> pointOfVertex = topology_.points();
    InfluenceStream influences(psk_, windows_);
    bool areComplete = false;
    {
        Points points(psk_, static_cast<float>(options_.unitScale), windows_, pointOfVertex);
        if (isSkinned) points.addInfluences(influences, nullptr);
        if (!points || !writeColumns(mesh, points, isSkinned)) return false;
        areComplete = points.haveInfluences() && influences.isAtEnd();
        if (!points.areFinite())
            reportPoints(pointOfVertex, psk_.points, "PNTS0000", "point", diagnostics, [&](std::uint32_t point) {
                float at[3];
                return !writePoint(psk_.points, point, 0, static_cast<float>(options_.unitScale), at);
            });
        if (points.areFlat()) diagnostics.add(Code::MESH_EMPTY, {.offset = psk_.points.offsetOf(0), .path = "PNTS0000"});
        if (!completeNormals(points, mesh, diagnostics)) return false;
    }
    attributes_.report(diagnostics);
    if (isSkinned) {
        InfluenceSummary summary = influences.summary();
        if (areComplete)
            mesh.maxInfluences = summary.maximum;
        else if (!repairInfluences(psk_, topology_.pointsUnlessSame(), mesh, arena_, summary, diagnostics))
            return false;
        reportInfluences(psk_, summary, diagnostics);
    }
    return addMorphs(psk_, options_, pointOfVertex, mesh, arena_, diagnostics);
}

/// Writes all columns. Influences that need repairs and missing normals are only allocated, and
/// written later.
[[gnu::noinline]] bool PskMesh::writeColumns(Mesh& mesh, Points& points, bool withInfluences) {
    const std::uint64_t count = topology_.points().size();
    mesh.vertexCount = static_cast<std::uint32_t>(count);
    mesh.sourceVertexCount = static_cast<std::uint32_t>(psk_.points.size());
    mesh.loneVertices = static_cast<std::uint32_t>(topology_.loneVertices());
    if (!topology_.writeIndices(mesh, arena_)) return false;
    StreamingColumn<float> positions = arena_.streamColumn<float>(mesh.block, 3 * count);
    StreamingColumn<std::uint32_t> sources = arena_.streamColumn<std::uint32_t>(mesh.block, count);
    StreamingColumn<float> normals = arena_.streamColumn<float>(mesh.block, 3 * count);
    if (arena_.exhausted()) return false;
    mesh.positions = positions.column();
    mesh.sourceVertices = sources.column();
    mesh.normals = normals.column();
    sources.append({reinterpret_cast<const std::uint8_t*>(topology_.points().data()), topology_.points().size_bytes()});
    if (!attributes_.write(topology_.vertices(), mesh, arena_)) return false;
    StreamingJoints joints;
    StreamingColumn<float> weights;
    if (withInfluences) {
        joints = StreamingJoints(arena_, mesh.block, count, std::min(psk_.bones.size(), boneLimit));
        weights = arena_.streamColumn<float>(mesh.block, 4 * count);
        if (arena_.exhausted()) return false;
        joints.assignTo(mesh);
        mesh.weights = weights.column();
    }
    while (points.advance()) {
        writeField<12>(positions, points, offsetof(Point, position));
        if (hasNormals()) writeField<12>(normals, points, offsetof(Point, normal));
        if (isStreamed_ && !points.haveInfluences()) return false;
        if (!withInfluences || !points.haveInfluences()) continue;
        writeField<8>(joints, points, offsetof(Point, joints));
        writeField<16>(weights, points, offsetof(Point, weights));
    }
    return true;
}

/// Computes missing normals and replaces normals of zero length.
[[gnu::cold]] bool PskMesh::completeNormals(const Points& points, Mesh& mesh, Diagnostics& diagnostics) {
    mesh.normalsComputed = !hasNormals();
    if (hasNormals()) {
        if (points.haveNormals()) return true;
        const Records& normals = psk_.normals;
        // Replaces normals of zero length too, but does not report them.
        reportPoints(topology_.points(), normals, "VTXNORMS", "normal", diagnostics,
                     [&](std::uint32_t point) { return !(squaredLengthAt(normals, point) < mostSquare); });
        std::uint64_t repaired = 0;
        if (!repairNormals(arena_, mesh, repaired, topology_.pointsUnlessSame())) return false;
        if (repaired) diagnostics.add(Code::NORMAL_DAMAGED, {.offset = normals.offsetOf(0), .path = "VTXNORMS"}, noDetail, repaired);
        return true;
    }
    if (splitNormals_.empty()) return addSmoothNormals(arena_, mesh, topology_.pointsUnlessSame());
    const auto normals = arena_.values(mesh.normals);
    std::fill(normals.begin(), normals.end(), 0.0f);
    for (std::size_t i = 1; i < normals.size(); i += 3) normals[i] = 1;  // lone points get (0, 1, 0)
    std::copy(splitNormals_.begin(), splitNormals_.end(), normals.begin());
    return true;
}

}  // namespace rigcast::unreal
