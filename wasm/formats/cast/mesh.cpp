// Meshes: attributes are straight copies, everything else is proven on the way.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/meshPlain.hpp"
#include "formats/cast/scene.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

/// A layer property and its number in the name.
struct Layer {
    std::uint32_t number;
    CastProperty property;
};

class MeshMaker {
public:
    MeshMaker(CastContext& context, std::uint32_t node, CastModel& model) : context_(context), node_(node), model_(model) {}

    void run() {
        std::uint32_t count = 0;
        const Bytes positions = context_.values.floats(node_, "vp", CastType::vec3, count);
        const CastIntegers faces = context_.values.integers(node_, "f");
        if (count == 0 || faces.empty()) {
            context_.add(Code::MESH_UNUSABLE, Severity::error, node_, count == 0 ? "no positions" : "no faces");
            return;
        }
        mesh_.name = context_.name(node_, "");
        mesh_.block = context_.arena.addBlock();
        mesh_.vertexCount = count;
        mesh_.sourceVertexCount = count;
        if (!copy("vp", positions, 3, mesh_.positions)) return;
        if (!addFaces(faces) || isWithoutFaces()) return;
        if (context_.options.winding == CastOptions::Winding::reversed) turnOver();
        if (!addNormals() || !addLayers() || !addTangents() || !addWeights()) return;
        mesh_.properties = context_.unknownProperties(node_);
        showCastMesh(context_, node_, model_, std::move(mesh_));
    }

private:
    std::uint64_t vertices() const { return mesh_.vertexCount; }

    /// `group`: as in `makeFinite`.
    bool copy(std::string_view name, Bytes payload, std::uint64_t width, Column<float>& column, std::size_t group = 1) {
        std::uint64_t damaged = 0;
        if (!copyFinite(context_.arena, mesh_.block, payload.data(), vertices() * width, column, damaged, group)) return false;
        if (damaged) context_.warn(Code::NON_FINITE, node_, {}, name, damaged);
        return true;
    }

    /// Whether a per-vertex property is there with one entry a vertex. One without entries is as if it were absent.
    bool fits(std::string_view name, std::uint64_t found, std::uint64_t wanted) {
        if (found == wanted) return true;
        if (found) context_.warn(Code::ATTRIBUTE_COUNT, node_, {"{} instead of {}", {found, wanted}}, name);
        return false;
    }

    bool addFaces(const CastIntegers& faces) {
        const std::uint32_t usable = faces.size() - faces.size() % 3;
        if (usable != faces.size()) context_.warn(Code::FACE_TAIL, node_, {"{} indices", {faces.size()}}, "f");
        return vertices() <= narrowVertices ? copyFaces(faces, usable, mesh_.indices16) : copyFaces(faces, usable, mesh_.indices32);
    }

    /// Bad faces are left out one by one; where none remains there is nothing to show.
    bool isWithoutFaces() {
        if (outside_ == 0 || mesh_.indices16.count + mesh_.indices32.count > 0) return false;
        context_.add(Code::MESH_UNUSABLE, Severity::error, node_, "no face is left");
        return true;
    }

    template <class Index>
    bool copyFaces(const CastIntegers& faces, std::uint32_t usable, Column<Index>& column) {
        auto made = context_.arena.allocate<Index>(mesh_.block, usable);
        if (!made) return false;
        const TriangleCounts counts = copyTriangles(faces, usable, mesh_.vertexCount, made.values.data());
        outside_ = counts.outside;
        if (outside_) context_.add(Code::FACE_INDEX_RANGE, Severity::error, node_, {"{} vertices", {mesh_.vertexCount}}, "f", outside_);
        if (counts.degenerate) context_.warn(Code::FACE_DEGENERATE, node_, {}, "f", counts.degenerate);
        // the same bytes on every machine
        std::fill(made.values.begin() + static_cast<std::ptrdiff_t>(counts.kept), made.values.end(), Index{0});
        column = made.column.slice(0, counts.kept);
        return true;
    }

    /// The triangles as 32 bit, copied only where they are not.
    std::span<const std::uint32_t> triangles(Vector<std::uint32_t>& widened) {
        if (mesh_.indices32.present()) return context_.arena.values(mesh_.indices32);
        const auto narrow = context_.arena.values(mesh_.indices16);
        widened.assign(narrow.begin(), narrow.end());
        return widened;
    }

    template <class Index>
    bool isInsideOut(const Column<Index>& column) {
        const auto raw = [&](const Column<float>& floats) {
            return reinterpret_cast<const std::uint8_t*>(context_.arena.values(floats).data());
        };
        std::span<const Index> left = context_.arena.values(column);
        const std::size_t triangles = left.size() / 3;
        WindingCounts counts;
        while (!left.empty() && !counts.isDecided(triangles)) {
            const std::size_t some = std::min(left.size(), 3 * windowRecords);
            countWinding(left.first(some), raw(mesh_.positions), raw(mesh_.normals), counts);
            left = left.subspan(some);
        }
        return counts.isAgainst();
    }
    bool isInsideOut() { return mesh_.indices32.present() ? isInsideOut(mesh_.indices32) : isInsideOut(mesh_.indices16); }

    void turnOver() {
        if (mesh_.indices32.present())
            reverseTriangles(context_.arena.values(mesh_.indices32));
        else
            reverseTriangles(context_.arena.values(mesh_.indices16));
    }

    bool addNormals() {
        std::uint32_t count = 0;
        const Bytes normals = context_.values.floats(node_, "vn", CastType::vec3, count);
        if (fits("vn", count, vertices())) {
            if (!copy("vn", normals, 3, mesh_.normals, 3)) return false;
            // Greyhound's before 2023-12-19 (cast.md section 6).
            if (context_.options.winding == CastOptions::Winding::automatic && isInsideOut()) {
                turnOver();
                context_.warn(Code::FACE_WINDING, node_, {}, "f");
            }
            std::uint64_t repaired = 0;
            if (!repairNormals(context_.arena, mesh_, repaired)) return false;
            if (repaired) context_.warn(Code::NORMAL_DAMAGED, node_, {}, "vn", repaired);
            return true;
        }
        return addSmoothNormals(context_.arena, mesh_);
    }

    /// The announced layers of a family in order. Findings where announcement and file differ.
    Vector<Layer> layersOf(char letter, CastName counter) {
        Vector<Layer> layers;
        for (const CastProperty& property : context_.document.propertiesOf(node_)) {
            std::uint32_t number = 0;
            if (isLayerName(property.name, letter, number) && property.count > 0) layers.push_back({number, property});
        }
        sortBy(layers, [](const Layer& layer) { return std::uint64_t{layer.number}; });
        // Of duplicates the last one counts.
        const auto before =
            std::unique(layers.rbegin(), layers.rend(), [](const Layer& a, const Layer& b) { return a.number == b.number; });
        layers.erase(layers.begin(), before.base());

        const double announced = context_.values.number(node_, counter).value_or(0);
        const std::size_t found = layers.size();
        while (!layers.empty() && layers.back().number >= announced) layers.pop_back();
        // c0 may be missing where the legacy vc stands in for it.
        const bool standsIn = letter == 'c' && context_.document.find(node_, "vc") && (layers.empty() || layers[0].number > 0);
        const double complete = static_cast<double>(layers.size()) + (standsIn && announced > 0 ? 1 : 0);
        if (found != layers.size())
            context_.warn(Code::LAYER_COUNT, node_, {"{} layers beyond the count were left out", {found - layers.size()}}, counter.text());
        else if (complete < announced)
            context_.warn(Code::LAYER_COUNT, node_, "announced layers are missing", counter.text());
        return layers;
    }

    bool addLayers() {
        // The number of a UV set is how materials find it: a missing one below another is filled.
        for (const Layer& layer : layersOf('u', "ul")) {
            if (layer.property.type != CastType::vec2 || !fits(layer.property.name, layer.property.count, vertices())) continue;
            if (layer.number > mesh_.uvs.size() + 8) continue;
            while (mesh_.uvs.size() < layer.number) {
                auto blank = context_.arena.allocate<float>(mesh_.block, vertices() * 2);
                if (!blank) return false;
                std::fill(blank.values.begin(), blank.values.end(), 0.f);
                mesh_.uvs.push_back(blank.column);
            }
            Column<float> uv;
            if (!copy(layer.property.name, layer.property.payload, 2, uv)) return false;
            mesh_.uvs.push_back(uv);
        }
        const Vector<Layer> colors = layersOf('c', "cl");
        // One layer before 2024-08, and still in some writers: for them there is no count, and it stands in for a missing c0.
        const CastProperty legacy = context_.document.find(node_, "vc");
        const auto announced = context_.values.number(node_, "cl");
        const bool isLegacy = legacy.type == CastType::u32 && legacy.count > 0 &&
                              (!announced || (*announced >= 1 && (colors.empty() || colors[0].number > 0)));
        if (isLegacy) {
            context_.add(Code::LEGACY_FORM, Severity::info, node_, "colours before 2024-08", "vc");
            if (!addColors(legacy)) return false;
        }
        for (const Layer& layer : colors)
            if (!addColors(layer.property)) return false;
        return true;
    }

    bool addColors(const CastProperty& property) {
        const bool isPacked = property.type == CastType::u32;
        if ((!isPacked && property.type != CastType::vec4) || !fits(property.name, property.count, vertices())) return true;
        ColorLayer layer;
        layer.name = property.name;
        if (isPacked) {  // R in the low byte: the bytes are R, G, B, A as they lie
            layer.bytes = context_.arena.copy(mesh_.block, property.payload);
            if (!layer.bytes.present()) return false;
        } else if (!copy(property.name, property.payload, 4, layer.floats)) {
            return false;
        }
        mesh_.colors.push_back(std::move(layer));
        return true;
    }

    /// The file has no handedness: it follows from where V runs in the triangles around a vertex.
    bool addTangents() {
        std::uint32_t count = 0;
        const Bytes stored = context_.values.floats(node_, "vt", CastType::vec3, count);
        if (!fits("vt", count, vertices())) return true;
        if (!Budget::affords(vertices() * 24)) return false;
        auto made = context_.arena.allocate<float>(mesh_.block, vertices() * 4);
        if (!made) return false;
        const auto normals = context_.arena.values(mesh_.normals);
        const auto at = [](std::span<const float> values, std::size_t i) {
            return Vec3{values[i * 3], values[i * 3 + 1], values[i * 3 + 2]};
        };
        Vector<Vec3> alongV(mesh_.uvs.empty() ? 0 : mesh_.vertexCount);
        if (!alongV.empty()) {
            const auto positions = context_.arena.values(mesh_.positions), uv = context_.arena.values(mesh_.uvs[0]);
            Vector<std::uint32_t> widened;
            const auto indices = triangles(widened);
            for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
                const std::size_t a = indices[i], b = indices[i + 1], c = indices[i + 2];
                const double u1 = double{uv[b * 2]} - uv[a * 2], v1 = double{uv[b * 2 + 1]} - uv[a * 2 + 1];
                const double u2 = double{uv[c * 2]} - uv[a * 2], v2 = double{uv[c * 2 + 1]} - uv[a * 2 + 1];
                const Vec3 e1 = at(positions, b) - at(positions, a), e2 = at(positions, c) - at(positions, a);
                const Vec3 direction = (e2 * u1 - e1 * u2) * (u1 * v2 - u2 * v1 < 0 ? -1 : 1);
                for (const std::size_t vertex : {a, b, c}) alongV[vertex] = alongV[vertex] + direction;
            }
        }
        std::uint64_t damaged = 0;
        for (std::size_t i = 0; i < mesh_.vertexCount; ++i) {
            float* out = &made.values[i * 4];
            std::memcpy(out, stored.data() + i * 12, 12);
            for (int axis = 0; axis < 3; ++axis) {
                if (std::isfinite(out[axis])) continue;
                out[axis] = 0;
                ++damaged;
            }
            const Vec3 t{out[0], out[1], out[2]};
            const bool isMirrored = !alongV.empty() && dot(cross(at(normals, i), t), alongV[i]) > 0;
            out[3] = isMirrored ? -1.f : 1.f;  // cross(n, t) * w points against V
        }
        if (damaged) context_.warn(Code::NON_FINITE, node_, {}, "vt", damaged);
        mesh_.tangents = made.column;
        return true;
    }

    bool addWeights() {
        const std::string method = context_.values.text(node_, "sm", "linear");
        if (method == "quaternion")
            mesh_.skinning = SkinningMethod::dualQuaternion;
        else if (method != "linear" && !method.empty())
            context_.warn(Code::VALUE_UNKNOWN, node_, method, "sm");
        const CastIntegers influences = context_.values.integers(node_, "mi");
        const std::uint64_t perVertex = influences.empty() ? 0 : influences[0];
        const CastIntegers bones = context_.values.integers(node_, "wb");
        std::uint32_t weightCount = 0;
        const Bytes weights = context_.values.floats(node_, "wv", CastType::f32, weightCount);
        if (perVertex == 0) {
            if (bones.size()) context_.warn(Code::ATTRIBUTE_COUNT, node_, "weights without a number of influences", "mi");
            return true;
        }
        const std::uint64_t wanted = perVertex * vertices();
        const bool isRigid = perVertex == 1;  // the reference takes 1 for the weight and ignores wv
        if (bones.size() != wanted || (!isRigid && weightCount != wanted)) {
            context_.warn(Code::ATTRIBUTE_COUNT, node_, {"{} bones and {} weights instead of {}", {bones.size(), weightCount, wanted}},
                          "wb");
            return true;
        }
        const std::size_t boneCount = model_.skeleton.bones.size();
        if (boneCount == 0) {
            context_.warn(Code::INFLUENCE_BONE_RANGE, node_, "the model has no bones", "wb", wanted);
            return true;
        }
        if (boneCount > 65535) {
            context_.add(Code::TOO_MANY_BONES, Severity::error, node_, {"{}", {boneCount}});
            return true;
        }
        return setWeights(bones, isRigid ? Bytes{} : weights, static_cast<std::uint32_t>(perVertex), static_cast<std::uint32_t>(boneCount));
    }

    bool setWeights(const CastIntegers& bones, Bytes weights, std::uint32_t perVertex, std::uint32_t boneCount) {
        InfluenceSummary summary;
        JointOutlet joints(context_.arena, mesh_.block, vertices(), boneCount);
        auto four = context_.arena.allocate<float>(mesh_.block, vertices() * 4);
        if (!joints || !four) return false;
        joints.giveTo(mesh_);
        mesh_.weights = four.column;
        bool areClean = true;
        for (std::uint32_t first = 0; areClean && first < mesh_.vertexCount; first += windowRecords) {
            const std::uint32_t count = std::min<std::uint32_t>(windowRecords, mesh_.vertexCount - first);
            const std::uint8_t* const shares = weights.empty() ? nullptr : weights.data() + std::size_t{first} * perVertex * sizeof(float);
            areClean = copyInfluences(bones.slice(first * perVertex, count * perVertex), shares, perVertex, boneCount, count,
                                      joints.room(4 * std::size_t{count}), &four.values[4 * std::size_t{first}], summary);
            if (areClean) joints.put(4 * std::size_t{count});
        }
        if (areClean)
            mesh_.maxInfluences = summary.maximum;
        else if (!cleanWeights(bones, weights, perVertex, boneCount, summary = {}))
            return false;
        if (summary.notNormalized) context_.warn(Code::INFLUENCE_SUM, node_, {}, "wv", summary.notNormalized);
        if (summary.unweighted) context_.warn(Code::INFLUENCE_MISSING, node_, {}, "wv", summary.unweighted);
        if (summary.duplicates) context_.warn(Code::INFLUENCE_DUPLICATE, node_, {}, "wb", summary.duplicates);
        if (summary.isFullListCut) context_.add(Code::WORK_LIMIT, Severity::error, node_, "all but the four strongest influences", "wb");
        return true;
    }

    bool cleanWeights(const CastIntegers& bones, Bytes weights, std::uint32_t perVertex, std::uint32_t boneCount,
                      InfluenceSummary& summary) {
        if (!Budget::affords(std::uint64_t{bones.size()} * 8 + vertices() * 4)) return false;
        const std::size_t total = bones.size();
        PointInfluences points;
        points.offsets.resize(std::size_t{mesh_.vertexCount} + 1);
        for (std::size_t i = 0; i < points.offsets.size(); ++i) points.offsets[i] = static_cast<std::uint32_t>(i * perVertex);
        points.joints.resize(total);
        points.weights.assign(weights.empty() ? total : 0, 1.f);
        if (!weights.empty()) {
            points.weights.resize(total);
            std::memcpy(points.weights.data(), weights.data(), total * sizeof(float));
        }
        std::uint64_t outside = 0, damaged = 0;
        for (std::uint32_t i = 0; i < total; ++i) {
            const std::uint32_t bone = bones[i];
            points.joints[i] = bone < boneCount ? bone : 0;
            if (bone >= boneCount) {
                // Slots that are not used often name a bone of no consequence.
                outside += points.weights[i] != 0;
                points.weights[i] = 0;
            } else if (!std::isfinite(points.weights[i])) {
                ++damaged;
                points.weights[i] = 0;
            }
        }
        if (outside) context_.warn(Code::INFLUENCE_BONE_RANGE, node_, {"{} bones", {boneCount}}, "wb", outside);
        if (damaged) context_.warn(Code::NON_FINITE, node_, {}, "wv", damaged);
        return setInfluences(context_.arena, mesh_, boneCount, points, {}, summary);
    }

    CastContext& context_;
    std::uint32_t node_;
    CastModel& model_;
    Mesh mesh_;
    std::uint32_t outside_ = 0;  // faces that name vertices that do not exist
};

}  // namespace

void addCastMesh(CastContext& context, std::uint32_t mesh, CastModel& model) {
    // What blend shapes and tangents are made of has to be in memory.
    if (context.mayBePlain && !model.hasShapes && PlainCastMesh(context, mesh, model).add()) return;
    for (const CastProperty& property : context.document.propertiesOf(mesh)) context.bring(property.payload);
    MeshMaker(context, mesh, model).run();
}

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

}  // namespace rigcast
