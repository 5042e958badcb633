// Converts an SEModel: bones (to nodes and a skin), meshes and materials.
#include <algorithm>
#include <cmath>

#include "core/code.hpp"
#include "formats/se/scene.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr std::size_t poseBytes = 28;  // size of a position and a rotation
constexpr std::size_t mostJoints = 65535;

class ModelBuilder {
public:
    ModelBuilder(const SeModel& model, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : model_(model), scene_(scene), arena_(arena), diagnostics_(diagnostics) {}

    void run() {
        if (!Budget::affords(model_.bones.size() * 700 + model_.meshes.size() * sizeof(Mesh))) return;
        addBones();
        for (const SeMaterial& material : model_.materials) addMaterial(material);
        for (std::size_t i = 0; i < model_.meshes.size() && !arena_.exhausted(); ++i) addMesh(i);
        checkUse();
    }

private:
    const Records& bones() const { return model_.bones; }

    // ---- bones

    void addBones() {
        const std::size_t count = bones().size();
        Vector<std::uint32_t> parents(count, none);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto stored = bones().get<std::int32_t>(i, 1);
            const bool isGood = stored >= 0 && static_cast<std::size_t>(stored) < count && static_cast<std::uint32_t>(stored) != i;
            if (isGood)
                parents[i] = static_cast<std::uint32_t>(stored);
            else if (stored != -1)
                diagnostics_.add(Code::BONE_PARENT_RANGE, location(bones().offsetOf(i) + 1, "bones"), {"bone {}: parent {}", {i, stored}});
        }
        for (const std::uint32_t bone : cutCycles(parents))
            diagnostics_.add(Code::BONE_CYCLE, Severity::warning, location(bones().offsetOf(bone) + 1, "bones"), {"bone {}", {bone}});
        if (count > 0 && !(model_.boneParts & (seLocal | seGlobal)))
            diagnostics_.add(Code::BONE_TRANSFORM_MISSING, location(bones().offsetOf(0), "bones"), noDetail, count);
        StringTable names;
        for (std::uint32_t i = 0; i < count; ++i) {
            Node node;
            const std::string name = seName(model_.names[i], "bones", diagnostics_);
            if (!names.add(name)) diagnostics_.add(Code::BONE_NAME_DUPLICATE, location(model_.names[i].offset, "bones"), name);
            node.name = scene_.strings.intern(name);
            node.parent = parents[i] == none ? 0 : 1 + parents[i];
            node.bone = static_cast<std::int32_t>(i);
            node.segmentScaleCompensate = parents[i] != none;
            node.local = localOf(i, parents[i]);
            if (const auto flags = bones().get<std::uint8_t>(i, 0)) node.properties.push_back({"flags", std::uint32_t{flags}});
            if (parents[i] != none && parents[i] > i)
                diagnostics_.add(Code::BONE_ORDER, Severity::info, location(bones().offsetOf(i), "bones"));
            scene_.nodes.push_back(std::move(node));
        }
        parentsFirst(scene_, arena_);
    }

    /// Returns the local transform. Uses the local pose if the file contains it, as both public
    /// importers do. Otherwise derives it from the global poses.
    Transform localOf(std::uint32_t bone, std::uint32_t parent) {
        Transform local;
        if (model_.boneParts & seScale) local.scale = vec3(bone, model_.scaleAt());
        const Transform own = model_.boneParts & seGlobal ? poseAt(bone, model_.globalAt()) : Transform{};
        Transform above;
        if ((model_.boneParts & seGlobal) && parent != none) above = poseAt(parent, model_.globalAt());
        if (model_.boneParts & seLocal) {
            const Transform pose = poseAt(bone, model_.localAt());
            local.translation = pose.translation;
            local.rotation = pose.rotation;
            if ((model_.boneParts & seGlobal) && !(model_.boneParts & seScale)) compare(bone, own, above, pose);
            return local;
        }
        const Quat up = conjugate(above.rotation);
        local.translation = rotate(up, own.translation - above.translation);
        local.rotation = normalized(up * own.rotation);
        return local;
    }

    void compare(std::uint32_t bone, const Transform& own, const Transform& above, const Transform& local) {
        const Vec3 rebuilt = above.translation + rotate(above.rotation, local.translation);
        const double tolerance = 1e-3 * std::max(1.0, length(own.translation));
        if (length(own.translation - rebuilt) > tolerance || angleBetween(own.rotation, above.rotation * local.rotation) > 2e-3)
            diagnostics_.add(Code::BONE_TRANSFORM_DISAGREES, location(bones().offsetOf(bone), "bones"), {"bone {}", {bone}});
    }

    Vec3 vec3(std::uint32_t bone, std::size_t at) {
        const Vec3 value{bones().get<float>(bone, at), bones().get<float>(bone, at + 4), bones().get<float>(bone, at + 8)};
        if (isFinite(value)) return value;
        diagnostics_.add(Code::NON_FINITE, location(bones().offsetOf(bone) + at, "bones"), {"bone {}", {bone}});
        return at == model_.scaleAt() ? Vec3{1, 1, 1} : Vec3{};
    }

    Transform poseAt(std::uint32_t bone, std::size_t at) {
        const Quat rotation{bones().get<float>(bone, at + 12), bones().get<float>(bone, at + 16), bones().get<float>(bone, at + 20),
                            bones().get<float>(bone, at + poseBytes - 4)};
        return {vec3(bone, at), unitRotation(rotation, bones().offsetOf(bone) + at + 12, "bones", diagnostics_), {1, 1, 1}};
    }

    /// Returns the skin, which is created on first use. Its matrices are in file space, because the
    /// root is transformed later.
    std::uint32_t skin() {
        if (skin_ != none) return skin_;
        Skin skin;
        skin.skeletonRoot = 0;
        const Vector<Mat4> world = restMatrices(scene_);
        Vector<std::uint32_t> joints(bones().size()), singular;
        Vector<Mat4> rest(bones().size());
        for (std::uint32_t row = 1; row < world.size(); ++row) {
            const auto bone = static_cast<std::size_t>(scene_.nodes[row].bone);
            joints[bone] = row;
            rest[bone] = world[row];
        }
        if (!setJoints(arena_, skin, joints, rest, singular)) return none;
        for (const std::uint32_t bone : singular)
            diagnostics_.add(Code::SINGULAR_BIND, location(bones().offsetOf(bone), "bones"), {"bone {}", {bone}});
        skin_ = static_cast<std::uint32_t>(scene_.skins.size());
        scene_.skins.push_back(std::move(skin));
        return skin_;
    }

    // ---- materials

    void addMaterial(const SeMaterial& source) {
        Material material;
        material.name = seName(source.name, "materials", diagnostics_);
        material.model = "specular";
        // The format does not specify which sides are drawn. Maya and Blender, the programs that
        // use it, draw both.
        material.side = Side::both;
        struct Rule {
            const char *source, *slot;
            bool isColor;
        };
        constexpr Rule rules[] = {{"diffuse", "baseColor", true}, {"normal", "normal", false}, {"specular", "specularColor", true}};
        for (int i = 0; i < 3; ++i) {
            MaterialSlot slot;
            slot.source = rules[i].source;
            slot.slot = rules[i].slot;
            slot.texture = textures_.add(scene_, seName(source.maps[i], "materials", diagnostics_), rules[i].isColor);
            if (slot.texture != none) material.slots.push_back(std::move(slot));
        }
        scene_.materials.push_back(std::move(material));
    }

    // ---- meshes

    void addMesh(std::size_t index) {
        const SeMesh& source = model_.meshes[index];
        path_ = formatted("meshes[{}]", {index});
        offset_ = source.offset;
        if (source.vertexCount == 0 || source.faceCount == 0)
            return diagnostics_.add(Code::MESH_UNUSABLE, here(), source.vertexCount == 0 ? "no vertices" : "no faces");
        Mesh mesh;
        mesh.name = formatted("mesh {}", {index});
        mesh.block = arena_.addBlock();
        mesh.vertexCount = mesh.sourceVertexCount = source.vertexCount;
        std::uint64_t damaged = 0;
        if (!copyFinite(arena_, mesh.block, source.positions.data(), std::uint64_t{source.vertexCount} * 3, mesh.positions, damaged))
            return;
        if (!addFaces(source, mesh) || !addLayers(source, mesh, damaged) || !addNormals(source, mesh, damaged)) return;
        report(Code::NON_FINITE, damaged);
        if (!addWeights(source, mesh)) return;
        if (source.flags) mesh.properties.push_back({"flags", std::uint32_t{source.flags}});
        mesh.groups.push_back({0, mesh.indices16.count + mesh.indices32.count, materialOf(source, mesh)});
        Renderer renderer;
        renderer.name = mesh.name;
        renderer.mesh = static_cast<std::uint32_t>(scene_.meshes.size());
        if (hasJoints(mesh)) renderer.skin = skin();
        scene_.meshes.push_back(std::move(mesh));
        scene_.renderers.push_back(std::move(renderer));
    }

    /// Adds faces. Reverses their winding, because front faces are clockwise in the file.
    bool addFaces(const SeMesh& source, Mesh& mesh) {
        if (!Budget::affords(std::uint64_t{source.faceCount} * 12)) return false;
        const std::size_t width = seWidth(source.vertexCount);
        std::uint64_t outside = 0, degenerate = 0;
        Vector<std::uint32_t> corners;
        corners.reserve(std::size_t{source.faceCount} * 3);
        for (std::size_t face = 0; face < source.faceCount; ++face) {
            const std::uint8_t* at = source.faces.data() + face * 3 * width;
            const std::uint32_t a = seInteger(at, width), b = seInteger(at + width, width), c = seInteger(at + 2 * width, width);
            const bool isOutside = a >= source.vertexCount || b >= source.vertexCount || c >= source.vertexCount;
            const bool isFlat = a == b || b == c || a == c;
            outside += isOutside;
            degenerate += isFlat && !isOutside;
            if (isOutside || isFlat) continue;
            for (const std::uint32_t corner : {a, c, b}) corners.push_back(corner);
        }
        report(Code::FACE_INDEX_RANGE, outside);
        report(Code::FACE_DEGENERATE, degenerate);
        if (corners.empty()) {
            diagnostics_.add(Code::MESH_UNUSABLE, here(), "no face is left");
            return false;
        }
        if (source.vertexCount > 65535) {
            mesh.indices32 = arena_.copy(mesh.block, std::span<const std::uint32_t>(corners));
        } else if (auto made = arena_.allocate<std::uint16_t>(mesh.block, corners.size())) {
            for (std::size_t i = 0; i < corners.size(); ++i) made.values[i] = static_cast<std::uint16_t>(corners[i]);
            mesh.indices16 = made.column;
        }
        return !arena_.exhausted();
    }

    bool addLayers(const SeMesh& source, Mesh& mesh, std::uint64_t& damaged) {
        for (std::size_t layer = 0; layer < source.layers; ++layer) {
            auto made = arena_.allocate<float>(mesh.block, std::uint64_t{source.vertexCount} * 2);
            if (!made) return false;
            const std::uint8_t* from = source.uvs.data() + layer * 8;
            for (std::size_t i = 0; i < made.values.size(); ++i) {
                float value = loadValue<float>(from + i / 2 * source.layers * 8 + i % 2 * 4);
                damaged += !std::isfinite(value);
                made.values[i] = std::isfinite(value) ? value : 0;
            }
            mesh.uvs.push_back(made.column);
        }
        if (source.colors.empty()) return true;
        ColorLayer colors;
        colors.name = "color";
        colors.bytes = arena_.copy(mesh.block, source.colors);
        mesh.colors.push_back(std::move(colors));
        return !arena_.exhausted();
    }

    bool addNormals(const SeMesh& source, Mesh& mesh, std::uint64_t& damaged) {
        if (source.normals.empty()) return addSmoothNormals(arena_, mesh);
        std::uint64_t repaired = 0;
        if (!copyFinite(arena_, mesh.block, source.normals.data(), std::uint64_t{source.vertexCount} * 3, mesh.normals, damaged, 3) ||
            !repairNormals(arena_, mesh, repaired))
            return false;
        report(Code::NORMAL_DAMAGED, repaired);
        return true;
    }

    bool addWeights(const SeMesh& source, Mesh& mesh) {
        if (source.influences == 0) return true;
        const std::size_t count = bones().size();
        const std::uint64_t total = std::uint64_t{source.vertexCount} * source.influences;
        if (count == 0) {
            report(Code::INFLUENCE_BONE_RANGE, total);
            return true;
        }
        if (count > mostJoints) {
            diagnostics_.add(Code::TOO_MANY_BONES, here(), {"{}", {count}});
            return true;
        }
        if (!Budget::affords(total * 8 + std::uint64_t{source.vertexCount} * 4)) return false;
        const std::size_t width = model_.boneWidth();
        PointInfluences points;
        points.offsets.resize(std::size_t{source.vertexCount} + 1);
        for (std::size_t i = 0; i < points.offsets.size(); ++i) points.offsets[i] = static_cast<std::uint32_t>(i * source.influences);
        points.joints.resize(static_cast<std::size_t>(total));
        points.weights.resize(static_cast<std::size_t>(total));
        std::uint64_t outside = 0, damaged = 0;
        for (std::size_t i = 0; i < total; ++i) {
            const std::uint8_t* at = source.weights.data() + i * (width + 4);
            const std::uint32_t bone = seInteger(at, width);
            const float weight = loadValue<float>(at + width);
            const bool isFine = bone < count && std::isfinite(weight);
            outside += bone >= count && weight != 0;  // an influence with weight 0 is unused, so its bone can be any number
            damaged += bone < count && !std::isfinite(weight);
            points.joints[i] = isFine ? bone : 0;
            points.weights[i] = isFine ? weight : 0;
        }
        report(Code::INFLUENCE_BONE_RANGE, outside);
        report(Code::NON_FINITE, damaged);
        InfluenceSummary summary;
        if (!setInfluences(arena_, mesh, count, points, {}, summary)) return false;
        report(Code::INFLUENCE_SUM, summary.notNormalized);
        report(Code::INFLUENCE_MISSING, summary.unweighted);
        report(Code::INFLUENCE_DUPLICATE, summary.duplicates);
        if (summary.isFullListCut) diagnostics_.add(Code::WORK_LIMIT, here(), "all but the four strongest influences");
        return true;
    }

    /// Returns the material of the first layer. The format does not define how to combine it with
    /// the materials of other layers.
    std::uint32_t materialOf(const SeMesh& source, Mesh& mesh) {
        std::uint32_t first = none;
        Vector<Value> others;
        for (std::size_t layer = 0; layer < source.layers; ++layer) {
            const auto index = loadValue<std::int32_t>(source.materials.data() + layer * 4);
            const bool isThere = index >= 0 && static_cast<std::size_t>(index) < scene_.materials.size();
            if (!isThere && index != -1)
                diagnostics_.add(Code::MATERIAL_RANGE, here(), {"material {} of {}", {index, scene_.materials.size()}});
            if (layer == 0 && isThere) first = static_cast<std::uint32_t>(index);
            if (layer == 0) continue;
            const std::string_view name =
                isThere ? std::string_view(scene_.materials[static_cast<std::size_t>(index)].name) : std::string_view();
            if (!Budget::spend(name.size())) {
                diagnostics_.add(Code::WORK_LIMIT, here(), {"names of {} materials", {source.layers - layer}});
                break;
            }
            others.emplace_back(name);
        }
        if (others.empty()) return first;
        diagnostics_.add(Code::LAYER_MATERIAL, here(), noDetail, others.size());
        mesh.properties.push_back({"layerMaterials", Value(std::move(others))});
        return first;
    }

    void checkUse() {
        if (model_.bones.empty() && scene_.meshes.empty() && !arena_.exhausted())
            diagnostics_.add(Code::MISSING_CHUNK, location(model_.header.offset, "file"), "no bones and no meshes");
    }

    static Location location(std::uint64_t offset, std::string_view path) { return {.offset = offset, .path = path}; }
    Location here() const { return location(offset_, path_); }
    void report(Code code, std::uint64_t count) {
        if (count) diagnostics_.add(code, here(), noDetail, count);
    }

    const SeModel& model_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    NamedTextures textures_;
    std::uint32_t skin_ = none;
    std::string path_;  // outline path of the current mesh
    std::uint64_t offset_ = 0;
};

}  // namespace

Quat unitRotation(const Quat& value, std::uint64_t offset, std::string_view path, Diagnostics& diagnostics) {
    if (!isFinite(value))
        diagnostics.add(Code::NON_FINITE, {.offset = offset, .path = path});
    else if (!(std::fabs(std::sqrt(lengthSquared(value)) - 1) <= 1e-3))
        diagnostics.add(Code::QUATERNION_NOT_UNIT, {.offset = offset, .path = path});
    return normalized(value);
}

void addSeModel(const SeModel& model, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    ModelBuilder(model, scene, arena, diagnostics).run();
}

}  // namespace rigcast
