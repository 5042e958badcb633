// Converts meshes and renderers (vgo.md sections 5.3, 5.4 and 8).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/code.hpp"
#include "core/vector.hpp"
#include "formats/vgo/build.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr std::uint32_t mostJoints = 65536;
constexpr std::size_t mostLayers = 4;  // TEXCOORD_0 to 3

class MeshBuilder {
public:
    MeshBuilder(VgoBuild& build, std::uint32_t index, std::size_t jointCount)
        : build_(build), index_(index), source_(&build.meshes[index]), jointCount_(jointCount) {}

    /// Converts the mesh. Returns false if the mesh contains nothing to show.
    bool run() {
        const VgoAccessor* positions = attribute("POSITION");
        if (!positions || positions->count == 0 || positions->count > 0x7FFFFFFF) return unusable("no positions");
        // Counts three times the size of the positions, which includes the work for faces, normals
        // and bounds. Counts it for every mesh, even if meshes share the positions.
        if (!spend(positions->denseLength() * 3)) return false;
        mesh.name = vgoText(source_, "name");
        mesh.block = build_.arena.addBlock();
        mesh.vertexCount = mesh.sourceVertexCount = static_cast<std::uint32_t>(positions->count);
        mesh.positions = floats(positions, 3, "POSITION");
        if (!mesh.positions.present()) return unusable("no positions");
        return addFaces() && addNormals() && addLayers() && addInfluences() && addMorphs() && !build_.arena.exhausted();
    }

    Mesh mesh;

private:
    bool spend(std::uint64_t bytes) { return build_.spend(bytes, "meshes", index_); }

    bool unusable(const char* why) {
        build_.add(Code::MESH_UNUSABLE, Severity::error, "meshes", index_, why);
        return false;
    }

    /// Returns the value of an attribute. `attributes`: an object, or a list of Key and Value pairs
    /// (vgo.md section 5.4).
    static const Value* entryOf(const Value* attributes, const char* name) {
        if (const Value* found = vgoMember(attributes, name)) return found;
        for (const Value& pair : vgoItems(attributes))
            if (vgoText(&pair, "Key") == name) return vgoMember(&pair, "Value");
        return nullptr;
    }

    /// Returns the accessor of an attribute, which must have one element per vertex.
    const VgoAccessor* attribute(const char* name) {
        const VgoAccessor* found =
            build_.accessor(entryOf(vgoMember(source_, "attributes"), name), Severity::error, "meshes", index_, name);
        if (!found || mesh.vertexCount == 0 || found->count == mesh.vertexCount) return found;
        build_.warn(Code::ATTRIBUTE_COUNT, "meshes", index_, name);
        return nullptr;
    }

    /// Reads float data as a column. Repairs non-finite numbers as `makeFinite` does.
    Column<float> floats(const VgoAccessor* accessor, std::uint32_t components, std::string_view name, std::size_t group = 1) {
        if (!accessor || !spend(accessor->denseLength())) return {};
        const Column<float> column = floatColumn(*accessor, components, build_.arena, mesh.block);
        if (!column.present()) {
            build_.warn(Code::PROPERTY_TYPE, "meshes", index_, name);
            return {};
        }
        build_.warn(Code::NON_FINITE, "meshes", index_, name, makeFinite(build_.arena.values(column), group));
        return column;
    }

    bool addFaces() {
        const std::uint32_t n = mesh.vertexCount;
        const Values parts = vgoList(source_, "subMeshes");
        std::uint64_t outside = 0, tails = 0;
        Vector<std::uint32_t> all, part;
        for (std::size_t i = 0; i < std::max<std::size_t>(parts.size(), 1); ++i) {
            const bool isSequence = parts.empty() || parts[i].asNumber(0) == -1;
            part.clear();
            if (isSequence) {
                if (!spend(std::uint64_t{n} * 4)) return false;
                part.resize(n);
                for (std::uint32_t k = 0; k < n; ++k) part[k] = k;
            } else if (const VgoAccessor* accessor = build_.accessor(&parts[i], Severity::error, "meshes", index_, "subMeshes")) {
                if (!spend(static_cast<std::uint64_t>(accessor->count) * 4)) return false;
                if (!readUnsigned(*accessor, 1, part)) build_.add(Code::PROPERTY_TYPE, Severity::error, "meshes", index_, "subMeshes");
            }
            tails += part.size() % 3 != 0;
            const auto start = static_cast<std::uint32_t>(all.size());
            if (all.size() + part.size() > 0x7FFFFFFF || !Budget::affords((all.size() + part.size()) * 4)) return false;
            for (std::size_t k = 0; k + 2 < part.size(); k += 3) {
                const bool isOutside = part[k] >= n || part[k + 1] >= n || part[k + 2] >= n;
                outside += isOutside;
                for (std::size_t corner = k; corner < k + 3 && !isOutside; ++corner) all.push_back(part[corner]);
            }
            mesh.groups.push_back({start, static_cast<std::uint32_t>(all.size()) - start, none});
        }
        build_.add(Code::FACE_TAIL, Severity::error, "meshes", index_, {}, tails);
        build_.add(Code::FACE_INDEX_RANGE, Severity::error, "meshes", index_, {}, outside);
        if (all.empty()) return unusable("no faces");
        if (n > 65535) {
            mesh.indices32 = build_.arena.copy(mesh.block, std::span<const std::uint32_t>(all));
        } else {
            auto narrow = build_.arena.allocate<std::uint16_t>(mesh.block, all.size());
            for (std::size_t k = 0; k < narrow.values.size(); ++k) narrow.values[k] = static_cast<std::uint16_t>(all[k]);
            mesh.indices16 = narrow.column;
        }
        return !build_.arena.exhausted();
    }

    bool addNormals() {
        mesh.normals = floats(attribute("NORMAL"), 3, "NORMAL", 3);
        if (!mesh.normals.present()) return addSmoothNormals(build_.arena, mesh);
        std::uint64_t repaired = 0;
        if (!repairNormals(build_.arena, mesh, repaired)) return false;
        build_.warn(Code::NORMAL_DAMAGED, "meshes", index_, "NORMAL", repaired);
        return true;
    }

    bool addLayers() {
        mesh.tangents = floats(attribute("TANGENT"), 4, "TANGENT");
        // Adds blank UV sets for missing numbers, because materials refer to UV sets by number.
        for (std::size_t layer = 0; layer < mostLayers; ++layer) {
            const char name[] = {'T', 'E', 'X', 'C', 'O', 'O', 'R', 'D', '_', static_cast<char>('0' + layer), 0};
            const Column<float> uv = floats(attribute(name), 2, name);
            if (!uv.present()) continue;
            if (build_.document.uvBottomLeft) {
                const auto values = build_.arena.values(uv);
                for (std::size_t k = 1; k < values.size(); k += 2) values[k] = 1 - values[k];
            }
            while (mesh.uvs.size() < layer) {
                auto blank = build_.arena.allocate<float>(mesh.block, std::uint64_t{mesh.vertexCount} * 2);
                if (!blank) return false;
                std::fill(blank.values.begin(), blank.values.end(), 0.f);
                mesh.uvs.push_back(blank.column);
            }
            mesh.uvs.push_back(uv);
        }
        const VgoAccessor* colors = attribute("COLOR_0");
        if (!colors) return true;
        ColorLayer layer;
        layer.name = "COLOR_0";
        if (colors->type == vgoVec4U8 && spend(colors->denseLength())) {
            auto made = build_.arena.allocate<std::uint8_t>(mesh.block, colors->denseLength());
            if (!made) return false;
            expandAccessor(*colors, made.values.data());
            layer.bytes = made.column;
        } else {
            layer.floats = floats(colors, 4, "COLOR_0");
        }
        if (layer.bytes.present() || layer.floats.present()) mesh.colors.push_back(std::move(layer));
        return true;
    }

    bool addInfluences() {
        const VgoAccessor *joints = attribute("JOINTS_0"), *weights = attribute("WEIGHTS_0");
        if (!joints || !weights) return true;
        const std::uint64_t n = mesh.vertexCount;
        if (!spend(n * 36)) return false;
        PointInfluences points;
        if (!readUnsigned(*joints, 4, points.joints) || !readFloats(*weights, 4, points.weights)) {
            build_.warn(Code::PROPERTY_TYPE, "meshes", index_, "JOINTS_0, WEIGHTS_0");
            return true;
        }
        points.offsets.resize(n + 1);
        for (std::size_t i = 0; i <= n; ++i) points.offsets[i] = static_cast<std::uint32_t>(i * 4);
        std::uint64_t outside = 0;
        for (std::size_t i = 0; i < points.joints.size(); ++i) {
            if (points.joints[i] < jointCount_) continue;
            outside += points.weights[i] != 0;  // an influence with weight 0 is unused, so its joint can be any number
            points.joints[i] = 0;
            points.weights[i] = 0;
        }
        build_.warn(Code::INFLUENCE_BONE_RANGE, "meshes", index_, {}, outside);
        build_.warn(Code::NON_FINITE, "meshes", index_, "WEIGHTS_0", makeFinite(points.weights));
        InfluenceSummary summary;
        if (!setInfluences(build_.arena, mesh, jointCount_, points, {}, summary)) return false;
        build_.warn(Code::INFLUENCE_SUM, "meshes", index_, {}, summary.notNormalized);
        build_.warn(Code::INFLUENCE_MISSING, "meshes", index_, {}, summary.unweighted);
        build_.warn(Code::INFLUENCE_DUPLICATE, "meshes", index_, {}, summary.duplicates);
        return true;
    }

    /// Reads the deltas of one attribute of a blend shape.
    void readDeltas(const Value* attributes, const char* name, Vector<std::uint32_t>& vertices, Vector<float>& deltas) {
        const VgoAccessor* found = build_.accessor(entryOf(attributes, name), Severity::error, "meshes", index_, "blendShapes");
        if (!found || !spend(found->data.size())) return;
        if (found->count != mesh.vertexCount || !readNonZero(*found, 3, vertices, deltas)) {
            vertices.clear();
            deltas.clear();
            build_.warn(Code::MORPH_DAMAGED, "meshes", index_, name);
        }
        build_.warn(Code::NON_FINITE, "meshes", index_, name, makeFinite(deltas));
    }

    bool addMorphs() {
        Vector<std::uint32_t> withPosition, withNormal, vertices, ignored;
        Vector<float> positions, normals, tangents;
        // Keeps damaged blend shapes, because presets refer to blend shapes by index.
        for (const Value& shape : vgoList(source_, "blendShapes")) {
            for (auto* list : {&withPosition, &withNormal, &vertices, &ignored}) list->clear();
            for (auto* list : {&positions, &normals, &tangents}) list->clear();
            const Value* attributes = vgoMember(&shape, "attributes");
            readDeltas(attributes, "POSITION", withPosition, positions);
            readDeltas(attributes, "NORMAL", withNormal, normals);
            readDeltas(attributes, "TANGENT", ignored, tangents);
            if (!ignored.empty()) build_.add(Code::UNKNOWN_PROPERTY, Severity::info, "meshes", index_, "TANGENT of blend shapes");
            for (std::size_t i = 0, k = 0; i < withPosition.size() || k < withNormal.size();) {
                const std::uint32_t first = i < withPosition.size() ? withPosition[i] : none,
                                    second = k < withNormal.size() ? withNormal[k] : none;
                vertices.push_back(std::min(first, second));
                i += first <= second;
                k += second <= first;
            }
            MorphTarget morph;
            morph.name = vgoText(&shape, "name");
            morph.vertices = build_.arena.copy(mesh.block, std::span<const std::uint32_t>(vertices));
            morph.positions = spread(vertices, withPosition, positions);
            if (!withNormal.empty()) morph.normals = spread(vertices, withNormal, normals);
            if (build_.arena.exhausted()) return false;
            addTag(shape, "facePartsType", 0, morph.properties);
            addTag(shape, "blinkType", 0, morph.properties);
            addTag(shape, "visemeType", -1, morph.properties);
            mesh.morphs.push_back(std::move(morph));
        }
        return true;
    }

    static void addTag(const Value& shape, const char* name, double usual, Properties& to) {
        const double value = vgoNumber(&shape, name, usual);
        if (value != usual) vgoPut(to, name, value);
    }

    /// Expands deltas to a column with one delta for each of `vertices`. `own`: vertices of
    /// `deltas`; the deltas of all other vertices are 0.
    Column<float> spread(const Vector<std::uint32_t>& vertices, const Vector<std::uint32_t>& own, const Vector<float>& deltas) {
        auto made = build_.arena.allocate<float>(mesh.block, std::uint64_t{vertices.size()} * 3);
        if (!made) return {};
        std::size_t at = 0;
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const bool isOwn = at < own.size() && own[at] == vertices[i];
            for (std::size_t k = 0; k < 3; ++k) made.values[i * 3 + k] = isOwn ? deltas[at * 3 + k] : 0;
            at += isOwn;
        }
        return made.column;
    }

    VgoBuild& build_;
    std::uint32_t index_;
    const Value* source_;
    std::size_t jointCount_;
};

class RendererBuilder {
public:
    explicit RendererBuilder(VgoBuild& build) : build_(build), skins_(build) {}

    void run() {
        build_.meshRows.assign(build_.meshes.size(), none);
        collect();
        for (std::uint32_t i = 0; i < build_.meshes.size() && !build_.arena.exhausted(); ++i) {
            if (!build_.meshes[i].is<Properties>()) continue;
            MeshBuilder maker(build_, i, leastJoints_[i]);
            if (!maker.run()) continue;
            build_.meshRows[i] = static_cast<std::uint32_t>(build_.scene.meshes.size());
            build_.scene.meshes.push_back(std::move(maker.mesh));
        }
        for (VgoRenderer& renderer : build_.renderers)
            if (!build_.arena.exhausted()) show(renderer);
    }

private:
    /// Collects all renderers. For each mesh, determines the joint count of the smallest skin that
    /// is used with it.
    void collect() {
        leastJoints_.assign(build_.meshes.size(), mostJoints);
        members_.resize(build_.meshes.size());
        drawsColors_.resize(build_.materials.size());
        Members own;
        for (std::uint32_t i = 0; i < build_.nodes.size(); ++i) {
            const Value* node = build_.node(i);
            VgoRenderer renderer;
            renderer.node = i;
            renderer.component = vgoMember(node, "meshRenderer");
            // Since version 2.5, a renderer in the same node as a particle system contains the mesh
            // of the particles and is not drawn by itself (vgo.md section 5.3).
            if (renderer.component && vgoNumber(node, "particle", -1) >= 0) continue;
            const Value* holder = renderer.component ? renderer.component : node;
            renderer.mesh = build_.index(vgoMember(holder, "mesh"), build_.meshes.size(), Severity::error, "nodes", i, "mesh");
            if (renderer.mesh == none) continue;
            const Members& look = renderer.component ? (own = lookOf(*renderer.component)) : meshLook(renderer.mesh);
            renderer.materials = look.materials;
            renderer.presets = look.presets;
            renderer.blendShapeKind = look.blendShapeKind;
            renderer.skin = build_.index(vgoMember(node, "skin"), build_.skins.size(), Severity::error, "nodes", i, "skin");
            if (renderer.skin != none) {
                const std::size_t joints = skins_.jointCount(renderer.skin);
                if (joints > mostJoints) {
                    build_.add(Code::TOO_MANY_BONES, Severity::error, "skins", renderer.skin);
                    renderer.skin = none;
                } else if (joints == 0) {
                    build_.warn(Code::PROPERTY_MISSING, "skins", renderer.skin, "joints");
                    renderer.skin = none;
                } else {
                    leastJoints_[renderer.mesh] = std::min(leastJoints_[renderer.mesh], static_cast<std::uint32_t>(joints));
                }
            }
            build_.renderers.push_back(renderer);
        }
    }

    /// Members that belong to a renderer or, up to version 2.4, to its mesh.
    struct Members {
        Values materials, presets = {};
        double blendShapeKind = 0;
        bool isKnown = false;
    };

    static Members lookOf(const Value& owner) {
        // Also reads the misspelled name that early writers used.
        const Value* presets = vgoMember(&owner, "blendShapePresets");
        if (!presets) presets = vgoMember(&owner, "blendShapePesets");
        return {vgoList(&owner, "materials"), vgoItems(presets), vgoNumber(&owner, "blendShapeKind", 0), true};
    }

    const Members& meshLook(std::uint32_t mesh) {
        if (!members_[mesh].isKnown) members_[mesh] = lookOf(build_.meshes[mesh]);
        return members_[mesh];
    }

    bool drawsColors(std::uint32_t material) {
        enum : std::uint8_t { unknown, no, yes };
        std::uint8_t& draws = drawsColors_[material];
        if (draws == unknown) draws = drawsVertexColors(build_.materials[material]) ? yes : no;
        return draws == yes;
    }

    void show(VgoRenderer& source) {
        const std::uint32_t mesh = build_.meshRows[source.mesh];
        if (mesh == none) return;
        const Value* component = source.component;
        const Values materials = source.materials;
        if (!build_.spend(materials.size() * 4 * bytesPerStep, "nodes", source.node))
            return;  // up to version 2.4, materials belong to the mesh and are copied to each renderer
        Renderer renderer;
        renderer.node = build_.rows[source.node];
        renderer.name = vgoText(component, "name");
        if (renderer.name.empty()) renderer.name = build_.scene.strings[build_.scene.nodes[renderer.node].name];
        renderer.visible = vgoFlag(component, "enabled", true);
        for (const Value& entry : materials) {
            renderer.materials.push_back(
                build_.index(&entry, build_.materials.size(), Severity::warning, "nodes", source.node, "materials"));
            if (entry.asNumber(0) == -1) build_.warn(Code::INDEX_RANGE, "nodes", source.node, "materials");
        }
        // Up to version 2.4, an empty list means material 0.
        const bool hasFirst = !component && !build_.materials.empty();
        if (renderer.materials.empty()) renderer.materials.push_back(hasFirst ? 0 : none);
        renderer.mesh = withGroups(mesh, renderer.materials.size());
        const std::size_t groups = build_.scene.meshes[renderer.mesh].groups.size();
        const std::uint32_t last = renderer.materials.back();
        while (renderer.materials.size() < groups) renderer.materials.push_back(last);
        for (const std::uint32_t material : renderer.materials)
            if (material != none && drawsColors(material)) build_.scene.meshes[renderer.mesh].colorsAreMaterial = true;
        if (source.skin != none) {
            if (hasJoints(build_.scene.meshes[mesh]))
                renderer.skin = skins_.row(source.skin, renderer.node);
            else
                build_.warn(Code::PROPERTY_MISSING, "meshes", source.mesh, "JOINTS_0, WEIGHTS_0");
        }
        if (source.blendShapeKind != 0) vgoPut(renderer.properties, "blendShapeKind", source.blendShapeKind);
        if (const Value* extensions = vgoMember(component, "extensions")) build_.keep(renderer.properties, "extensions", *extensions);
        source.row = static_cast<std::uint32_t>(build_.scene.renderers.size());
        build_.scene.renderers.push_back(std::move(renderer));
    }

    /// Adds groups until the mesh has `count` groups, because Unity draws the last sub-mesh again
    /// with each surplus material. If groups are added, returns the index of a copy of the mesh
    /// that shares its data.
    std::uint32_t withGroups(std::uint32_t mesh, std::size_t count) {
        const std::size_t own = build_.scene.meshes[mesh].groups.size();
        if (count <= own) return mesh;
        const std::uint32_t key[] = {mesh, static_cast<std::uint32_t>(count)};
        std::uint32_t& row = variants_[key];
        if (row != none) return row;
        const Mesh& original = build_.scene.meshes[mesh];
        std::uint64_t size = count * sizeof(Group) + original.name.size() + original.morphs.size() * sizeof(MorphTarget);
        for (const MorphTarget& morph : original.morphs) size += morph.name.size();
        if (!build_.spend(size * 4, "meshes", mesh)) return mesh;
        Mesh copy = build_.scene.meshes[mesh];
        const Group last = copy.groups.back();
        while (copy.groups.size() < count) copy.groups.push_back(last);
        row = static_cast<std::uint32_t>(build_.scene.meshes.size());
        build_.scene.meshes.push_back(std::move(copy));
        return row;
    }

    VgoBuild& build_;
    VgoSkins skins_;
    Vector<std::uint32_t> leastJoints_;
    Vector<Members> members_;           // by mesh index
    Vector<std::uint8_t> drawsColors_;  // by material index; 1: the shader uses vertex colours
    VgoCache variants_;                 // index of a copy, by mesh and number of groups
};

}  // namespace

void addVgoRenderers(VgoBuild& build) { RendererBuilder(build).run(); }

}  // namespace rigcast
