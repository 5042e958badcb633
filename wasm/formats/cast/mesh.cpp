// Converts meshes and writes their positions. meshFaces.cpp, meshNormals.cpp, meshLayers.cpp and
// meshWeights.cpp write the other columns.
#include "formats/cast/mesh.hpp"

namespace rigcast {

namespace {

/// Minimum size in bytes of a mesh that is streamed. Smaller meshes fit into one window.
constexpr std::uint64_t leastStreamed = isUnderSanitizer ? 0 : 0x10000;

}  // namespace

void CastMeshReader::read() {
    if (vertices() == 0 || arrays_.faces.count == 0) {
        context_.add(Code::MESH_UNUSABLE, Severity::error, node_, vertices() == 0 ? "no positions" : "no faces");
        return;
    }
    mesh_.name = context_.name(node_, "");
    mesh_.vertexCount = mesh_.sourceVertexCount = vertices();
    isStreamed_ = canStream();
    mesh_.block = isStreamed_ ? context_.arena.addExternalBlock(columnBytes()) : context_.arena.addBlock();
    if (!writePositions() || !writeFaces() || isWithoutFaces()) return;
    if (!writeNormals() || !writeLayers() || !addTangents() || !writeWeights()) return;
    if (isStreamed_) bound(mesh_);
    if (isStreamed_ && hasJoints(mesh_)) model_.boxes->extendRange(mesh_);
    mesh_.properties = context_.unknownProperties(node_);
    showCastMesh(context_, node_, model_, std::move(mesh_));
}

/// Returns true if the columns of the mesh can be outside the heap: the mesh is large, and no later
/// step of the conversion needs random access to columns.
bool CastMeshReader::canStream() const {
    return columnBytes() >= leastStreamed && !context_.addsTangents && !model_.hasShapes && arrays_.tangents.count != vertices() &&
           arrays_.influences <= 4;
}

/// Returns an upper bound for the total size of a streamed mesh's columns, in bytes.
std::uint64_t CastMeshReader::columnBytes() const {
    const std::uint64_t count = vertices();
    std::uint64_t size = 0;
    const auto add = [&](std::uint64_t bytes) { size += paddedSize(bytes); };
    add(count * 12);
    add(arrays_.faces.count * std::uint64_t{count <= narrowVertices ? 2u : 4u});
    add(count * 12);
    std::uint32_t sets = 0;
    for (const CastLayer& layer : arrays_.uvs.list)
        if (CastMeshArrays::isUv(layer, sets) && layer.property.count == count) sets = layer.number + 1;
    for (std::uint32_t set = 0; set < sets; ++set) add(count * 8);
    if (arrays_.legacyColor.count == count) add(count * 4);
    for (const CastLayer& layer : arrays_.colors.list)
        if (layer.property.count == count) add(layer.property.payload.size());
    if (arrays_.influences)
        for (const unsigned width : {model_.skeleton.bones.size() <= narrowJoints ? 4u : 8u, 16u}) add(count * width);
    return size;
}

/// Returns true if an array has one element per vertex. An empty array is treated as absent.
bool CastMeshReader::fits(const CastProperty& property) {
    if (property.count == vertices()) return true;
    if (property.count) context_.warn(Code::ATTRIBUTE_COUNT, node_, {"{} instead of {}", {property.count, vertices()}}, property.name);
    return false;
}

bool CastMeshReader::writeFloats(const CastProperty& from, Column<float>& column) {
    const StreamingColumn<float> to = streamColumn<float>(infoOf(from.type).width);
    column = to.column();
    return writeFloats(from, 1, to, [](std::uint32_t, std::uint32_t, Bytes) {});
}

bool CastMeshReader::writePositions() {
    const StreamingColumn<float> to = streamColumn<float>(3);
    mesh_.positions = to.column();
    return writeFloats(arrays_.positions, 1, to, [&](std::uint32_t first, std::uint32_t count, Bytes points) {
        if (!isStreamed_) return;
        Patch patch{.first = first, .count = count};
        growBox(points.data(), count, patch.low, patch.high);
        Patches::add(patch);
    });
}

double CastMeshReader::farthestIn(const Patch& patch, const Vec3& center) {
    return farthestSquare(arrays_.points(patch.first, patch.count, window_).data(), patch.count, center);
}

void addCastMesh(CastContext& context, std::uint32_t mesh, CastModel& model) { CastMeshReader(context, mesh, model).read(); }

void showCastMesh(CastContext& context, std::uint32_t node, CastModel& model, Mesh mesh) {
    Renderer renderer;
    renderer.name = mesh.name;
    renderer.node = model.owner;
    renderer.mesh = static_cast<std::uint32_t>(context.scene.meshes.size());
    if (hasJoints(mesh)) renderer.skin = castSkin(context, model.skeleton);
    const std::uint32_t count = mesh.indices16.present() ? mesh.indices16.count : mesh.indices32.count;
    mesh.groups.push_back({0, count, castMaterialOf(context, node, model)});
    model.meshes.add(node, renderer.mesh);
    model.renderers.add(node, static_cast<std::uint32_t>(context.scene.renderers.size()));
    context.scene.meshes.push_back(std::move(mesh));
    context.scene.renderers.push_back(std::move(renderer));
}

void finishCastBoxes(CastContext& context, CastModel& model) {
    if (!model.boxes || model.skeleton.skin == none) return;
    Scene& scene = context.scene;
    Skin& skin = scene.skins[model.skeleton.skin];
    for (const Renderer& renderer : scene.renderers) {
        if (renderer.skin != model.skeleton.skin) continue;
        Mesh& mesh = scene.meshes[renderer.mesh];
        if (mesh.radius > 0) continue;  // streamed meshes already have bounds
        boundMesh(context.arena, mesh);
        includeMesh(*model.boxes, context.arena, mesh);
    }
    const auto made = context.arena.allocate<float>(skin.block, std::uint64_t{skin.joints.count} * 6);
    if (!made) return;
    model.boxes->write(made.values);
    skin.jointBoxes = made.column;
}

}  // namespace rigcast
