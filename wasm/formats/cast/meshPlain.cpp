#include "formats/cast/meshPlain.hpp"

#include <algorithm>

namespace rigcast {

namespace {

/// Below that a window is no smaller than the mesh.
constexpr std::uint64_t leastColumns = isUnderSanitizer ? 0 : 0x10000;

/// Vertices that some triangles may reach over, to be looked at together.
constexpr std::uint32_t mostReached = 16 * windowRecords;

/// What is where in a property's payload: calls `visit(first, count)` for windows of elements until it answers false.
template <class Visit>
bool everyWindow(std::uint32_t elements, Visit visit) {
    for (std::uint32_t first = 0; first < elements; first += windowRecords)
        if (!visit(first, std::min<std::uint32_t>(windowRecords, elements - first))) return false;
    return true;
}

}  // namespace

bool PlainCastMesh::add() {
    if (!looksPlain()) return false;
    const std::uint64_t size = columnBytes();
    if (size < leastColumns || Budget::remaining() < size + (1u << 20)) return false;
    if (influences_ && !model_.boxes) {
        const Vector<Mat4>& rest = model_.skeleton.rest;
        if (!Budget::affords(rest.size() * 256)) return false;
        Vector<float> inverses(16 * rest.size());
        Vector<std::uint32_t> singular;
        invertRest({rest.data(), rest.size()}, {inverses.data(), inverses.size()}, singular);
        model_.boxes.emplace(std::span<const float>(inverses.data(), inverses.size()), rest.size());
    }
    mesh_.block = context_.arena.addOpenBlock(size);
    if (!make()) {
        context_.arena.dropBlock();
        return false;
    }
    tell();
    showCastMesh(context_, node_, model_, std::move(mesh_));
    return true;
}

bool PlainCastMesh::looksPlain() {
    for (const CastProperty& property : context_.document.propertiesOf(node_))
        if (!take(property)) return false;
    if (vertices() == 0 || normals_.count != vertices() || tangents_.count || faces_.count == 0 || faces_.count % 3) return false;
    const std::string_view method = method_.text();
    if (method == "quaternion")
        mesh_.skinning = SkinningMethod::dualQuaternion;
    else if (!method.empty() && method != "linear")
        return false;
    return haveLayersCome() && haveWeightsCome();
}

/// False where it is not as it should be, or there already.
bool PlainCastMesh::take(const CastProperty& property) {
    const struct {
        CastName name;
        CastProperty& to;
        unsigned types;
    } known[] = {
        {"vp", positions_, castMask(CastType::vec3)},
        {"vn", normals_, castMask(CastType::vec3)},
        {"vt", tangents_, castMask(CastType::vec3)},
        {"f", faces_, castIntegers},
        {"wb", joints_, castIntegers},
        {"wv", weights_, castMask(CastType::f32)},
        {"mi", perVertex_, castIntegers},
        {"ul", uvCount_, castIntegers},
        {"cl", colorCount_, castIntegers},
        {"vc", oneColor_, castMask(CastType::u32)},
        {"sm", method_, castMask(CastType::text)},
    };
    const CastName name = property.name;
    for (const auto& one : known) {
        if (one.name != name) continue;
        if (one.to || !(castMask(property.type) & one.types)) return false;
        one.to = property;
        return true;
    }
    for (const auto& [letter, list] : {std::pair<char, Vector<CastProperty>&>{'u', uvs_}, {'c', colors_}}) {
        std::uint32_t number = 0;
        if (!isLayerName(property.name, letter, number)) continue;
        if (number != list.size()) return false;
        list.push_back(property);
    }
    return true;
}

/// Layers that are announced, and no others; or the one layer of files before 2024-08.
bool PlainCastMesh::haveLayersCome() {
    const auto announced = [](const CastProperty& property) {
        const CastIntegers number(property);
        return number.empty() ? 0 : number[0];
    };
    if (uvs_.size() != announced(uvCount_) || colors_.size() != announced(colorCount_)) return false;
    if (oneColor_) {
        if (colorCount_ || !colors_.empty()) return false;
        colors_.push_back(oneColor_);
    }
    for (const CastProperty& uv : uvs_)
        if (uv.type != CastType::vec2 || uv.count != vertices()) return false;
    for (const CastProperty& color : colors_)
        if ((color.type != CastType::u32 && color.type != CastType::vec4) || color.count != vertices()) return false;
    return true;
}

bool PlainCastMesh::haveWeightsCome() {
    const CastIntegers perVertex(perVertex_);
    influences_ = perVertex.empty() ? 0 : perVertex[0];
    if (influences_ == 0) return joints_.count == 0;
    const std::uint64_t wanted = std::uint64_t{influences_} * vertices();
    const std::size_t bones = model_.skeleton.bones.size();
    return influences_ <= 4 && joints_.count == wanted && (influences_ == 1 || weights_.count == wanted) && bones - 1 < 65535;
}

std::uint64_t PlainCastMesh::columnBytes() const {
    const std::uint64_t count = vertices();
    std::uint64_t size = 0;
    const auto add = [&](std::uint64_t bytes) { size += (bytes + 7) & ~std::uint64_t{7}; };
    add(count * 12);
    add(faces_.count * std::uint64_t{count <= narrowVertices ? 2u : 4u});
    add(count * 12);
    for (std::size_t i = 0; i < uvs_.size(); ++i) add(count * 8);
    for (const CastProperty& color : colors_) add(color.payload.size());
    if (influences_)
        for (const unsigned width : {model_.skeleton.bones.size() <= narrowJoints ? 4u : 8u, 16u}) add(count * width);
    return size;
}

bool PlainCastMesh::make() {
    mesh_.name = context_.name(node_, "");
    mesh_.vertexCount = mesh_.sourceVertexCount = vertices();
    if (!writePositions()) return false;
    if (context_.options.winding == CastOptions::Winding::automatic) {
        const std::optional<bool> isTurned = isInsideOut();
        if (!isTurned) return false;
        isTurned_ = *isTurned;
    }
    if (!(vertices() <= narrowVertices ? writeFaces(mesh_.indices16) : writeFaces(mesh_.indices32))) return false;
    if (!writeFloats(normals_, mesh_.normals, haveLength)) return false;
    for (const CastProperty& uv : uvs_)
        if (!writeFloats(uv, mesh_.uvs.emplace_back())) return false;
    for (const CastProperty& color : colors_)
        if (!writeColors(color)) return false;
    return (influences_ == 0 || writeWeights()) && bound(mesh_);
}

bool PlainCastMesh::writePositions() {
    Outlet<float> to = context_.arena.outlet<float>(mesh_.block, 3 * std::uint64_t{vertices()});
    mesh_.positions = to.column();
    return to && everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
               const Bytes points = part(positions_, first, count, 12, window_);
               Patch patch{.first = first, .count = count};
               if (!growBox(points.data(), count, patch.low, patch.high)) return false;
               Patches::add(patch);
               to.copy(points);
               return true;
           });
}

double PlainCastMesh::farthestIn(const Patch& patch, const Vec3& center) {
    return farthestSquare(part(positions_, patch.first, patch.count, 12, window_).data(), patch.count, center);
}

CastIntegers PlainCastMesh::integers(const CastProperty& all, std::uint32_t first, std::uint32_t count,
                                     Vector<std::uint8_t>& buffer) const {
    CastProperty some = all;
    some.payload = part(all, first, count, infoOf(all.type).size, buffer);
    some.count = count;
    return CastIntegers(some);
}

std::optional<bool> PlainCastMesh::isInsideOut() {
    Vector<std::uint32_t> corners(3 * windowRecords);
    WindingCounts counts;
    const std::uint32_t triangles = faces_.count / 3;
    const bool isKnown = everyWindow(triangles, [&](std::uint32_t first, std::uint32_t count) {
        if (counts.isDecided(triangles)) return true;
        const CastIntegers faces = integers(faces_, 3 * first, 3 * count, window_);
        const std::span<std::uint32_t> kept(corners.data(), copyTriangles(faces, 3 * count, vertices(), corners.data()).kept);
        if (kept.empty()) return true;
        const auto [low, high] = std::minmax_element(kept.begin(), kept.end());
        const std::uint32_t lowest = *low, reached = *high - lowest + 1;
        if (reached > mostReached) return false;
        for (std::uint32_t& corner : kept) corner -= lowest;
        const Bytes points = part(positions_, lowest, reached, 12, window_), normals = part(normals_, lowest, reached, 12, normalWindow_);
        countWinding(kept, points.data(), normals.data(), counts);
        return true;
    });
    return isKnown ? std::optional<bool>(counts.isAgainst()) : std::nullopt;
}

template <class Index>
bool PlainCastMesh::writeFaces(Column<Index>& column) {
    Outlet<Index> to = context_.arena.outlet<Index>(mesh_.block, faces_.count);
    const bool isReversed = isTurned_ || context_.options.winding == CastOptions::Winding::reversed;
    const auto write = [&](std::uint32_t first, std::uint32_t count) {
        const CastIntegers faces = integers(faces_, 3 * first, 3 * count, window_);
        Index* const room = to.room(3 * std::size_t{count});
        const TriangleCounts counts = copyTriangles(faces, 3 * count, vertices(), room);
        if (isReversed) reverseTriangles(std::span<Index>(room, counts.kept));
        to.put(counts.kept);
        triangles_.kept += counts.kept;
        triangles_.degenerate += counts.degenerate;
        return counts.outside == 0;
    };
    if (!to || !everyWindow(faces_.count / 3, write)) return false;
    column = to.column().slice(0, triangles_.kept);
    // In the place of those that were left out.
    return everyWindow(faces_.count - triangles_.kept, [&](std::uint32_t, std::uint32_t count) {
        std::fill_n(to.room(count), count, Index{0});
        to.put(count);
        return true;
    });
}

bool PlainCastMesh::writeFloats(const CastProperty& from, Column<float>& column, bool (*areGood)(const std::uint8_t*, std::size_t)) {
    const CastTypeInfo& info = infoOf(from.type);
    Outlet<float> to = context_.arena.outlet<float>(mesh_.block, from.payload.size() / sizeof(float));
    column = to.column();
    return to && everyWindow(from.count, [&](std::uint32_t first, std::uint32_t count) {
               const Bytes values = part(from, first, count, info.size, window_);
               to.copy(values);
               return areFinite(values.data(), std::size_t{count} * info.width) && (!areGood || areGood(values.data(), count));
           });
}

bool PlainCastMesh::writeColors(const CastProperty& from) {
    ColorLayer& layer = mesh_.colors.emplace_back();
    layer.name = from.name;
    if (from.type == CastType::vec4) return writeFloats(from, layer.floats);
    Outlet<std::uint8_t> to = context_.arena.outlet<std::uint8_t>(mesh_.block, from.payload.size());
    layer.bytes = to.column();
    return to && everyWindow(from.count, [&](std::uint32_t first, std::uint32_t count) {
               to.copy(part(from, first, count, 4, window_));
               return true;
           });
}

bool PlainCastMesh::writeWeights() {
    const auto bones = static_cast<std::uint32_t>(model_.skeleton.bones.size());
    JointOutlet joints(context_.arena, mesh_.block, vertices(), bones);
    Outlet<float> weights = context_.arena.outlet<float>(mesh_.block, 4 * std::uint64_t{vertices()});
    if (!joints || !weights) return false;
    joints.giveTo(mesh_);
    mesh_.weights = weights.column();
    const bool areClean = everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
        const CastIntegers ofVertices = integers(joints_, first * influences_, count * influences_, jointWindow_);
        // What one bone moves it moves wholly, whatever `wv` says.
        const std::uint8_t* const shares =
            influences_ == 1 ? nullptr : part(weights_, first, count, 4 * std::size_t{influences_}, weightWindow_).data();
        std::uint16_t* const toJoints = joints.room(4 * std::size_t{count});
        float* const toWeights = weights.room(4 * std::size_t{count});
        if (!copyInfluences(ofVertices, shares, influences_, bones, count, toJoints, toWeights, summary_)) return false;
        includeVertices(*model_.boxes, part(positions_, first, count, 12, window_).data(), toJoints, toWeights, count);
        joints.put(4 * std::size_t{count});
        weights.put(4 * std::size_t{count});
        return true;
    });
    mesh_.maxInfluences = summary_.maximum;
    return areClean;
}

/// In the order of `addCastMesh`.
void PlainCastMesh::tell() {
    if (triangles_.degenerate) context_.warn(Code::FACE_DEGENERATE, node_, {}, "f", triangles_.degenerate);
    if (isTurned_) context_.warn(Code::FACE_WINDING, node_, {}, "f");
    if (oneColor_) context_.add(Code::LEGACY_FORM, Severity::info, node_, "colours before 2024-08", "vc");
    if (summary_.notNormalized) context_.warn(Code::INFLUENCE_SUM, node_, {}, "wv", summary_.notNormalized);
    mesh_.properties = context_.unknownProperties(node_);
    if (influences_) model_.boxes->reach(mesh_);
}

void finishCastBoxes(CastContext& context, CastModel& model) {
    if (!model.boxes || model.skeleton.skin == none) return;
    Scene& scene = context.scene;
    Skin& skin = scene.skins[model.skeleton.skin];
    for (const Renderer& renderer : scene.renderers) {
        if (renderer.skin != model.skeleton.skin) continue;
        Mesh& mesh = scene.meshes[renderer.mesh];
        if (mesh.radius > 0) continue;  // was plain
        boundMesh(context.arena, mesh);
        includeMesh(*model.boxes, context.arena, mesh);
    }
    const auto made = context.arena.allocate<float>(skin.block, std::uint64_t{skin.joints.count} * 6);
    if (!made) return;
    model.boxes->write(made.values);
    skin.jointBoxes = made.column;
}

}  // namespace rigcast
