#include "scene/validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

/// Part of a path, made into text only when a promise is broken: the morph of a mesh is meshes[3].morphs[0].
struct PathPart {
    const PathPart* owner = nullptr;
    std::string_view list;
    std::size_t index = none;

    std::string text() const {
        std::string out = owner ? owner->text() + "." : std::string();
        out += list;
        if (index != none) out += "[" + std::to_string(index) + "]";
        return out;
    }
};

/// Whether a float is infinite or not a number, by its bits: loops over this vectorise.
std::uint32_t notFinite(float value) { return (bitCast<std::uint32_t>(value) & 0x7F800000u) == 0x7F800000u; }

bool isSmall(double value) { return std::fabs(value) <= double{std::numeric_limits<float>::max()}; }

class Validator {
public:
    Validator(const Scene& scene, const Arena& arena, std::size_t limit) : scene_(scene), arena_(arena), limit_(limit) {}

    Vector<std::string> run() {
        strings();
        nodes();
        list("meshes", scene_.meshes, [this](const PathPart& at, const Mesh& mesh) { checkMesh(at, mesh); });
        list("renderers", scene_.renderers, [this](const PathPart& at, const Renderer& renderer) { checkRenderer(at, renderer); });
        list("skins", scene_.skins, [this](const PathPart& at, const Skin& skin) { checkSkin(at, skin); });
        list("materials", scene_.materials, [this](const PathPart& at, const Material& material) { checkMaterial(at, material); });
        list("textures", scene_.textures, [this](const PathPart& at, const Texture& texture) { checkTexture(at, texture); });
        list("images", scene_.images, [this](const PathPart& at, const Image& image) { checkImage(at, image); });
        list("clips", scene_.clips, [this](const PathPart& at, const Clip& clip) { checkClip(at, clip); });
        list("lights", scene_.lights, [this](const PathPart& at, const Light& light) { checkLight(at, light); });
        list("cameras", scene_.cameras, [this](const PathPart& at, const Camera& camera) { checkCamera(at, camera); });
        list("instances", scene_.instances, [this](const PathPart& at, const InstanceSet& set) { checkInstances(at, set); });
        list("features", scene_.features, [this](const PathPart& at, const Feature& feature) {
            text(at, "kind", feature.kind);
            text(at, "name", feature.name);
            optionalIndex(at, "node", feature.node, scene_.nodes.size());
            properties(at, feature.properties);
            if (feature.same == none) return;
            const auto own = static_cast<std::size_t>(&feature - scene_.features.data());
            if (feature.same >= own || scene_.features[feature.same].same != none || !feature.properties.empty())
                say(at, "same", "names no earlier feature with properties of its own, or has some itself");
        });
        list("expressions", scene_.expressions,
             [this](const PathPart& at, const Expression& expression) { checkExpression(at, expression); });
        list("references", scene_.references, [this](const PathPart& at, const Reference& reference) {
            text(at, "kind", reference.kind);
            text(at, "name", reference.name);
            properties(at, reference.properties);
        });
        return std::move(broken_);
    }

private:
    bool full() const { return broken_.size() >= limit_; }

    void say(const PathPart& at, std::string_view member, std::string_view what) {
        if (full()) return;
        std::string line = at.text();
        if (!member.empty()) line.append(line.empty() ? "" : ".").append(member);
        broken_.push_back(line.append(": ").append(what));
    }

    template <class List, class Check>
    void list(std::string_view name, const List& entries, Check check) {
        for (std::size_t i = 0; i < entries.size() && !full(); ++i) check(PathPart{nullptr, name, i}, entries[i]);
    }

    // ---------------------------------------------------------------------------------------- single values

    void text(const PathPart& at, std::string_view member, std::string_view value) {
        if (!isValidUtf8(value)) say(at, member, "text is not valid UTF-8");
    }

    void properties(const PathPart& at, const Properties& members, int depth = 0) {
        if (depth > 64) return say(at, "properties", "nested deeper than 64");
        for (const Property& member : members) {
            if (full()) return;
            text(at, "properties", member.name);
            propertyValue(at, member.value, depth + 1);
        }
    }

    void propertyValue(const PathPart& at, const Value& value, int depth) {
        if (const auto* string = value.get<std::string>()) {
            text(at, "properties", *string);
        } else if (const auto* members = value.get<Properties>()) {
            properties(at, *members, depth);
        } else if (const auto* entries = value.get<Vector<Value>>()) {
            if (depth > 64) return say(at, "properties", "nested deeper than 64");
            for (const Value& entry : *entries) {
                if (full()) return;
                propertyValue(at, entry, depth + 1);
            }
        }
    }

    void index(const PathPart& at, std::string_view member, std::uint64_t value, std::size_t size) {
        if (value >= size) say(at, member, "names entry " + std::to_string(value) + " of " + std::to_string(size));
    }
    void optionalIndex(const PathPart& at, std::string_view member, std::uint32_t value, std::size_t size) {
        if (value != none) index(at, member, value, size);
    }
    void stringId(const PathPart& at, std::string_view member, StringId id) { index(at, member, id, scene_.strings.list().size()); }

    template <class Enum>
    void oneOf(const PathPart& at, std::string_view member, Enum value, Enum last) {
        if (value > last) say(at, member, "is no known value");
    }

    void finite(const PathPart& at, std::string_view member, double value) {
        if (!isSmall(value)) say(at, member, "is not finite as a float");
    }
    template <class T, std::size_t n>
    void finite(const PathPart& at, std::string_view member, const T (&values)[n]) {
        for (const T value : values)
            if (!isSmall(value)) return say(at, member, "is not finite as a float");
    }

    // ---------------------------------------------------------------------------------------- columns

    /// The column's values if it lies aligned in one piece of `block`; else says so.
    template <class T>
    bool column(const PathPart& at, std::string_view member, const Column<T>& data, std::uint32_t block, std::span<const T>& values) {
        if (data.block >= arena_.blocks().size()) {
            say(at, member, "lies in no block");
        } else if (data.block != block) {
            say(at, member, "lies in another block than its owner");
        } else if (data.offset % sizeof(T) != 0) {
            say(at, member, "is not aligned");
        } else {
            values = arena_.values(data);
            if (values.size() == data.count) return true;
            say(at, member, "does not lie inside a piece of its block");
        }
        return false;
    }

    template <class T>
    bool column(const PathPart& at, std::string_view member, const Column<T>& data, std::uint32_t block, std::uint64_t count,
                std::span<const T>& values) {
        if (!column(at, member, data, block, values)) return false;
        if (values.size() == count) return true;
        say(at, member, "has " + std::to_string(values.size()) + " entries instead of " + std::to_string(count));
        return false;
    }

    /// A column of floats: present, of the right length, finite.
    bool floats(const PathPart& at, std::string_view member, const Column<float>& data, std::uint32_t block, std::uint64_t count,
                std::span<const float>& values) {
        return column(at, member, data, block, count, values) && allFinite(at, member, values);
    }
    void floats(const PathPart& at, std::string_view member, const Column<float>& data, std::uint32_t block, std::uint64_t count) {
        std::span<const float> values;
        floats(at, member, data, block, count, values);
    }
    void optionalFloats(const PathPart& at, std::string_view member, const Column<float>& data, std::uint32_t block, std::uint64_t count) {
        if (data.present()) floats(at, member, data, block, count);
    }

    bool allFinite(const PathPart& at, std::string_view member, std::span<const float> values) {
        std::uint32_t bad = 0;
        for (const float value : values) bad |= notFinite(value);
        if (!bad) return true;
        const auto first = std::find_if(values.begin(), values.end(), [](float value) { return notFinite(value) != 0; });
        say(at, member, "entry " + std::to_string(first - values.begin()) + " is not finite");
        return false;
    }

    template <class T>
    void allBelow(const PathPart& at, std::string_view member, std::span<const T> values, std::uint64_t size) {
        // One difference a value, so that the loop vectorises everywhere: its highest bit is set where the value is above the last index.
        const std::uint32_t last = static_cast<std::uint32_t>(size - 1);
        std::uint32_t bad = size == 0 || size > 0x80000000u ? 0x80000000u : 0;
        for (const T value : values) bad |= (last - value) | value;
        if (!(bad & 0x80000000u)) return;
        const auto first = std::find_if(values.begin(), values.end(), [&](T value) { return value >= size; });
        if (first == values.end()) return;
        say(at, member,
            "entry " + std::to_string(first - values.begin()) + " is " + std::to_string(*first) + ", not below " + std::to_string(size));
    }

    /// Offsets of a CSR list: start at 0, never fall, end at `end`.
    bool offsets(const PathPart& at, std::string_view member, std::span<const std::uint32_t> values, std::uint64_t end) {
        if (!values.empty() && values.front() == 0 && values.back() == end && std::is_sorted(values.begin(), values.end())) return true;
        say(at, member, "offsets do not rise from 0 to " + std::to_string(end));
        return false;
    }

    void unitQuaternions(const PathPart& at, std::string_view member, std::span<const float> values, std::size_t first,
                         std::size_t stride) {
        for (std::size_t i = first; i + 4 <= values.size(); i += stride) {
            const float* q = &values[i];
            const float squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            if (!(std::fabs(squared - 1) <= 1e-3f))
                return say(at, member, "quaternion " + std::to_string(i / stride) + " is not of unit length");
        }
    }

    // ---------------------------------------------------------------------------------------- lists

    void strings() {
        const auto& list = scene_.strings.list();
        for (std::size_t i = 0; i < list.size() && !full(); ++i) text({nullptr, "strings", i}, "", list[i]);
        const PathPart asset{nullptr, "asset"};
        for (const std::string* value :
             {&scene_.asset.name, &scene_.asset.generator, &scene_.asset.author, &scene_.asset.copyright, &scene_.asset.upAxis})
            text(asset, "", *value);
        if (!isSmall(scene_.asset.metresPerUnit) || !(scene_.asset.metresPerUnit > 0))
            say(asset, "metresPerUnit", "is not a positive number");
        properties(asset, scene_.asset.properties);
    }

    void nodes() {
        if (scene_.nodes.empty()) return say({nullptr, "nodes"}, "", "there is no root");
        for (std::size_t i = 0; i < scene_.nodes.size() && !full(); ++i) {
            const Node& node = scene_.nodes[i];
            const PathPart at{nullptr, "nodes", i};
            stringId(at, "name", node.name);
            if (i == 0 && node.parent != none) say(at, "parent", "the root has a parent");
            if (i > 0 && node.parent >= i) say(at, "parent", node.parent == none ? "a second root" : "does not come before its child");
            const auto& [t, q, s] = node.local;
            for (const double value : {t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z}) {
                if (isSmall(value)) continue;
                say(at, "local", "is not finite as floats");
                break;
            }
            if (!(std::fabs(lengthSquared(q) - 1) <= 1e-3)) say(at, "local.rotation", "is not of unit length");
            if (node.bone < -1) say(at, "bone", "is below -1");
            properties(at, node.properties);
        }
    }

    void checkMesh(const PathPart& at, const Mesh& mesh) {
        const std::uint64_t n = mesh.vertexCount;
        text(at, "name", mesh.name);
        oneOf(at, "topology", mesh.topology, Topology::strands);
        oneOf(at, "skinning", mesh.skinning, SkinningMethod::dualQuaternion);
        floats(at, "positions", mesh.positions, mesh.block, n * 3);
        optionalFloats(at, "normals", mesh.normals, mesh.block, n * 3);
        optionalFloats(at, "tangents", mesh.tangents, mesh.block, n * 4);
        for (std::size_t i = 0; i < mesh.uvs.size(); ++i) floats({&at, "uvs", i}, "", mesh.uvs[i], mesh.block, n * 2);
        for (std::size_t i = 0; i < mesh.colors.size(); ++i) {
            const ColorLayer& layer = mesh.colors[i];
            const PathPart layerAt{&at, "colors", i};
            text(layerAt, "name", layer.name);
            if (layer.bytes.present() == layer.floats.present()) say(layerAt, "", "holds neither or both of bytes and floats");
            optionalFloats(layerAt, "floats", layer.floats, mesh.block, n * 4);
            std::span<const std::uint8_t> bytes;
            if (layer.bytes.present()) column(layerAt, "bytes", layer.bytes, mesh.block, n * 4, bytes);
        }
        checkInfluences(at, mesh);
        std::uint64_t ranged = 0;
        if (mesh.topology == Topology::triangles)
            ranged = checkTriangles(at, mesh);
        else
            ranged = checkStrands(at, mesh);
        std::span<const std::uint32_t> sources;
        if (mesh.sourceVertices.present() && column(at, "sourceVertices", mesh.sourceVertices, mesh.block, n, sources))
            allBelow(at, "sourceVertices", sources, mesh.sourceVertexCount);
        for (std::size_t i = 0; i < mesh.groups.size() && !full(); ++i) {
            const Group& group = mesh.groups[i];
            const PathPart groupAt{&at, "groups", i};
            if (std::uint64_t{group.start} + group.count > ranged)
                say(groupAt, "", "reaches beyond the " + std::to_string(ranged) + " entries there are");
            if (mesh.topology == Topology::triangles && (group.start % 3 || group.count % 3)) say(groupAt, "", "cuts a triangle");
            optionalIndex(groupAt, "material", group.material, scene_.materials.size());
        }
        for (std::size_t i = 0; i < mesh.morphs.size() && !full(); ++i) checkMorph({&at, "morphs", i}, mesh, mesh.morphs[i]);
        finite(at, "min", mesh.min);
        finite(at, "max", mesh.max);
        finite(at, "center", mesh.center);
        if (!std::isfinite(mesh.radius) || mesh.radius < 0) say(at, "radius", "is not a length");
        for (int k = 0; k < 3; ++k)
            if (mesh.min[k] > mesh.max[k]) say(at, "min", "is above max");
        properties(at, mesh.properties);
    }

    void checkInfluences(const PathPart& at, const Mesh& mesh) {
        const std::uint64_t n = mesh.vertexCount;
        if (mesh.joints.present() != mesh.weights.present()) say(at, "joints", "joints and weights come together or not at all");
        std::span<const std::uint16_t> joints;
        if (mesh.joints.present()) column(at, "joints", mesh.joints, mesh.block, n * 4, joints);
        std::span<const float> weights;
        if (mesh.weights.present() && floats(at, "weights", mesh.weights, mesh.block, n * 4, weights) && !areFours(weights))
            for (std::size_t vertex = 0; vertex < n; ++vertex)
                if (!checkWeights(at, "weights", vertex, weights.subspan(vertex * 4, 4))) break;

        const bool offsetsPresent = mesh.influenceOffsets.present();
        if (offsetsPresent != mesh.influenceJoints.present() || offsetsPresent != mesh.influenceWeights.present())
            return say(at, "influenceOffsets", "the three columns of all influences come together or not at all");
        if (offsetsPresent != (mesh.maxInfluences > 4))
            say(at, "maxInfluences", "all influences are given where, and only where, a vertex has more than four");
        if (!offsetsPresent) return;
        if (!mesh.joints.present()) say(at, "joints", "the strongest four are missing");
        std::span<const std::uint32_t> starts;
        std::span<const std::uint16_t> allJoints;
        std::span<const float> allWeights;
        if (!column(at, "influenceOffsets", mesh.influenceOffsets, mesh.block, n + 1, starts)) return;
        if (!column(at, "influenceJoints", mesh.influenceJoints, mesh.block, allJoints)) return;
        if (!floats(at, "influenceWeights", mesh.influenceWeights, mesh.block, allJoints.size(), allWeights)) return;
        if (!offsets(at, "influenceOffsets", starts, allJoints.size())) return;
        for (std::size_t vertex = 0; vertex < n; ++vertex) {
            const std::size_t count = starts[vertex + 1] - starts[vertex];
            if (count > mesh.maxInfluences) return say(at, "maxInfluences", "vertex " + std::to_string(vertex) + " has more");
            if (!checkWeights(at, "influenceWeights", vertex, allWeights.subspan(starts[vertex], count))) return;
        }
    }

    /// Whether all is as `checkWeights` wants it, in one pass without a way out.
    static bool areFours(std::span<const float> weights) {
        bool good = true;
        for (std::size_t i = 0; i + 4 <= weights.size(); i += 4) {
            const float a = weights[i], b = weights[i + 1], c = weights[i + 2], d = weights[i + 3];
            const float sum = a + b + c + d;
            good &= (a >= b) & (b >= c) & (c >= d) & (d >= 0) & ((sum == 0) | (std::fabs(sum - 1) <= 1e-3f));
        }
        return good;
    }

    /// Of one vertex: not negative, strongest first, sum 1 or 0.
    bool checkWeights(const PathPart& at, std::string_view member, std::size_t vertex, std::span<const float> weights) {
        float sum = 0, before = std::numeric_limits<float>::infinity();
        bool sorted = true;
        for (const float weight : weights) {
            sum += weight;
            sorted &= weight >= 0 && weight <= before;
            before = weight;
        }
        if (sorted && (sum == 0 || std::fabs(sum - 1) <= 1e-3f)) return true;
        const std::string of = " (vertex " + std::to_string(vertex) + ")";
        if (std::any_of(weights.begin(), weights.end(), [](float weight) { return weight < 0; }))
            say(at, member, "a weight is negative" + of);
        else if (!sorted)
            say(at, member, "weights are not strongest first" + of);
        else
            say(at, member, "weights sum to neither 1 nor 0" + of);
        return false;
    }

    /// How many indices there are.
    std::uint64_t checkTriangles(const PathPart& at, const Mesh& mesh) {
        if (mesh.strandOffsets.present()) say(at, "strandOffsets", "triangles have no strands");
        if (mesh.indices16.present() && mesh.indices32.present()) say(at, "indices16", "indices are given twice");
        std::uint64_t count = 0;
        if (mesh.indices16.present()) count = checkIndices(at, "indices16", mesh, mesh.indices16, mesh.vertexCount <= 65535);
        if (mesh.indices32.present()) count = checkIndices(at, "indices32", mesh, mesh.indices32, mesh.vertexCount > 65535);
        return count;
    }

    template <class Index>
    std::uint64_t checkIndices(const PathPart& at, std::string_view member, const Mesh& mesh, const Column<Index>& data, bool rightWidth) {
        std::span<const Index> values;
        if (!column(at, member, data, mesh.block, values)) return 0;
        if (!rightWidth) say(at, member, "16 bit up to 65535 vertices, 32 bit above");
        if (values.size() % 3 != 0) say(at, member, "a triangle lacks corners");
        allBelow(at, member, values, mesh.vertexCount);
        return values.size();
    }

    /// How many vertices there are: groups of strands are runs of vertices.
    std::uint64_t checkStrands(const PathPart& at, const Mesh& mesh) {
        if (mesh.indices16.present() || mesh.indices32.present()) say(at, "indices16", "strands have no indices");
        std::span<const std::uint32_t> starts;
        if (!mesh.strandOffsets.present())
            say(at, "strandOffsets", "are missing");
        else if (column(at, "strandOffsets", mesh.strandOffsets, mesh.block, starts))
            offsets(at, "strandOffsets", starts, mesh.vertexCount);
        return mesh.vertexCount;
    }

    void checkMorph(const PathPart& at, const Mesh& mesh, const MorphTarget& morph) {
        text(at, "name", morph.name);
        finite(at, "maximum", morph.maximum);
        properties(at, morph.properties);
        std::span<const std::uint32_t> vertices;
        if (!column(at, "vertices", morph.vertices, mesh.block, vertices)) return;
        for (std::size_t i = 1; i < vertices.size(); ++i) {
            if (vertices[i - 1] < vertices[i]) continue;
            say(at, "vertices", "are not ascending and unique at " + std::to_string(i));
            break;
        }
        allBelow(at, "vertices", vertices, mesh.vertexCount);
        floats(at, "positions", morph.positions, mesh.block, std::uint64_t{vertices.size()} * 3);
        optionalFloats(at, "normals", morph.normals, mesh.block, std::uint64_t{vertices.size()} * 3);
    }

    void checkRenderer(const PathPart& at, const Renderer& renderer) {
        text(at, "name", renderer.name);
        properties(at, renderer.properties);
        index(at, "node", renderer.node, scene_.nodes.size());
        index(at, "mesh", renderer.mesh, scene_.meshes.size());
        optionalIndex(at, "skin", renderer.skin, scene_.skins.size());
        for (std::size_t i = 0; i < renderer.materials.size() && !full(); ++i)
            optionalIndex({&at, "materials", i}, "", renderer.materials[i], scene_.materials.size());
        if (renderer.mesh >= scene_.meshes.size()) return;
        const Mesh& mesh = scene_.meshes[renderer.mesh];
        if (!renderer.materials.empty() && renderer.materials.size() != mesh.groups.size())
            say(at, "materials", "are not one a group of the mesh");
        if (renderer.skin >= scene_.skins.size()) return;
        const PathPart meshAt{nullptr, "meshes", renderer.mesh};
        const std::uint64_t jointCount = scene_.skins[renderer.skin].joints.count;
        if (!mesh.joints.present()) return say(at, "skin", "the mesh has no joints");
        const auto joints = arena_.values(mesh.joints);
        const auto weights = arena_.values(mesh.weights);
        if (jointCount == 0 && mesh.vertexCount > 0) return say(at, "skin", "has no joints");
        if (joints.size() == weights.size()) allBelow(meshAt, "joints", joints, jointCount);
        allBelow(meshAt, "influenceJoints", arena_.values(mesh.influenceJoints), jointCount);
    }

    void checkSkin(const PathPart& at, const Skin& skin) {
        text(at, "name", skin.name);
        optionalIndex(at, "skeletonRoot", skin.skeletonRoot, scene_.nodes.size());
        std::span<const std::uint32_t> joints;
        if (!column(at, "joints", skin.joints, skin.block, joints)) return;
        if (joints.size() > 65536) say(at, "joints", "are more than 16-bit joint indices can name");
        allBelow(at, "joints", joints, scene_.nodes.size());
        floats(at, "inverseBindMatrices", skin.inverseBindMatrices, skin.block, std::uint64_t{joints.size()} * 16);
        floats(at, "jointBoxes", skin.jointBoxes, skin.block, std::uint64_t{joints.size()} * 6);
    }

    void checkMaterial(const PathPart& at, const Material& material) {
        text(at, "name", material.name);
        text(at, "model", material.model);
        finite(at, "color", material.color);
        finite(at, "emissive", material.emissive);
        finite(at, "metalness", material.metalness);
        finite(at, "roughness", material.roughness);
        finite(at, "alphaCutoff", material.alphaCutoff);
        oneOf(at, "alphaMode", material.alphaMode, AlphaMode::multiply);
        oneOf(at, "side", material.side, Side::both);
        for (std::size_t i = 0; i < material.slots.size() && !full(); ++i) {
            const MaterialSlot& slot = material.slots[i];
            const PathPart slotAt{&at, "slots", i};
            text(slotAt, "slot", slot.slot);
            text(slotAt, "source", slot.source);
            optionalIndex(slotAt, "texture", slot.texture, scene_.textures.size());
            finite(slotAt, "color", slot.color);
        }
        properties(at, material.properties);
    }

    void checkTexture(const PathPart& at, const Texture& texture) {
        text(at, "name", texture.name);
        optionalIndex(at, "image", texture.image, scene_.images.size());
        oneOf(at, "wrapU", texture.wrapU, Wrap::mirror);
        oneOf(at, "wrapV", texture.wrapV, Wrap::mirror);
        oneOf(at, "filter", texture.filter, Filter::trilinear);
        finite(at, "offset", texture.offset);
        finite(at, "scale", texture.scale);
        properties(at, texture.properties);
    }

    void checkImage(const PathPart& at, const Image& image) {
        text(at, "name", image.name);
        text(at, "mimeType", image.mimeType);
        text(at, "path", image.path);
        std::span<const std::uint8_t> bytes;
        if (image.bytes.present()) column(at, "bytes", image.bytes, image.bytes.block, bytes);
    }

    void checkClip(const PathPart& at, const Clip& clip) {
        text(at, "name", clip.name);
        finite(at, "start", clip.start);
        finite(at, "duration", clip.duration);
        finite(at, "frameRate", clip.frameRate);
        if (clip.duration < 0) say(at, "duration", "is negative");
        if (clip.frameRate < 0) say(at, "frameRate", "is negative");
        if ((!clip.tracks.empty() || !clip.events.empty()) && clip.block >= arena_.blocks().size()) return say(at, "block", "is no block");
        Column<float> lastTimes;
        for (std::size_t i = 0; i < clip.tracks.size() && !full(); ++i) {
            const Column<float>& times = clip.tracks[i].times;
            const bool seen = times.block == lastTimes.block && times.offset == lastTimes.offset && times.count == lastTimes.count;
            checkTrack({&at, "tracks", i}, clip, clip.tracks[i], seen);
            lastTimes = times;
        }
        for (std::size_t i = 0; i < clip.events.size() && !full(); ++i) {
            const PathPart eventAt{&at, "events", i};
            finite(eventAt, "time", clip.events[i].time);
            stringId(eventAt, "name", clip.events[i].name);
        }
        for (std::size_t i = 0; i < clip.overrides.size() && !full(); ++i) {
            const PathPart overrideAt{&at, "overrides", i};
            stringId(overrideAt, "node", clip.overrides[i].node);
            oneOf(overrideAt, "mode", clip.overrides[i].mode, Mode::delta);
        }
        properties(at, clip.properties);
    }

    void checkTrack(const PathPart& at, const Clip& clip, const Track& track, bool timesSeen) {
        stringId(at, "target", track.target);
        stringId(at, "property", track.property);
        optionalIndex(at, "node", track.node, scene_.nodes.size());
        oneOf(at, "path", track.path, Path::material);
        oneOf(at, "interpolation", track.interpolation, Interpolation::perKey);
        oneOf(at, "mode", track.mode, Mode::delta);
        oneOf(at, "before", track.before, Extrapolation::pingPong);
        oneOf(at, "after", track.after, Extrapolation::pingPong);
        finite(at, "blendWeight", track.blendWeight);

        const std::size_t wholeWidth = track.path == Path::rotation                                   ? 4
                                       : track.path == Path::translation || track.path == Path::scale ? 3
                                                                                                      : 1;
        const bool whole = track.component == allComponents;
        if (!whole && track.component >= wholeWidth) say(at, "component", "the value has no such component");
        const std::uint64_t width = whole ? wholeWidth : 1;
        const bool rotation = whole && track.path == Path::rotation;

        std::span<const float> times, values;
        if (timesSeen)
            times = arena_.values(track.times);
        else if (!column(at, "times", track.times, clip.block, times) || !allFinite(at, "times", times))
            return;
        else if (!std::is_sorted(times.begin(), times.end()))
            say(at, "times", "are not ascending");
        if (times.empty()) return say(at, "times", "there is no key");
        const std::uint64_t k = times.size();
        if (!floats(at, "values", track.values, clip.block, k * width, values)) return;

        bool slerp = track.interpolation == Interpolation::slerp;
        bool curved = track.interpolation == Interpolation::hermite || track.interpolation == Interpolation::bezier;
        bool weighted = track.interpolation == Interpolation::bezier;
        const bool perKey = track.interpolation == Interpolation::perKey;
        if (perKey != track.kinds.present()) say(at, "kinds", "are given where, and only where, the interpolation is per key");
        std::span<const std::uint8_t> kinds;
        if (perKey && track.kinds.present() && column(at, "kinds", track.kinds, clip.block, k, kinds)) {
            allBelow(at, "kinds", kinds, static_cast<std::uint64_t>(Interpolation::perKey));
            for (const std::uint8_t kind : kinds) {
                slerp |= kind == static_cast<std::uint8_t>(Interpolation::slerp);
                weighted |= kind == static_cast<std::uint8_t>(Interpolation::bezier);
                curved |= kind == static_cast<std::uint8_t>(Interpolation::hermite) || weighted;
            }
        }
        if (slerp && !rotation) say(at, "interpolation", "slerp is for whole rotations");
        // What is interpolated component by component is made unit where it is used: its keys may have any length.
        if (rotation && !curved && track.interpolation != Interpolation::linear) unitQuaternions(at, "values", values, 0, 4);

        std::span<const float> tangents;
        if (curved && !track.tangents.present()) say(at, "tangents", "are missing");
        if (track.tangents.present() && column(at, "tangents", track.tangents, clip.block, k * width * 2, tangents))
            if (std::any_of(tangents.begin(), tangents.end(), [](float value) { return std::isnan(value); }))
                say(at, "tangents", "one is not a number");
        if (weighted && !track.weights.present()) say(at, "weights", "are missing");
        optionalFloats(at, "weights", track.weights, clip.block, k * width * 2);
    }

    void checkLight(const PathPart& at, const Light& light) {
        text(at, "name", light.name);
        index(at, "node", light.node, scene_.nodes.size());
        oneOf(at, "type", light.type, LightType::disc);
        finite(at, "color", light.color);
        finite(at, "size", light.size);
        finite(at, "intensity", light.intensity);
        finite(at, "range", light.range);
        finite(at, "innerAngle", light.innerAngle);
        finite(at, "outerAngle", light.outerAngle);
        properties(at, light.properties);
    }

    void checkCamera(const PathPart& at, const Camera& camera) {
        text(at, "name", camera.name);
        index(at, "node", camera.node, scene_.nodes.size());
        finite(at, "verticalFov", camera.verticalFov);
        finite(at, "aspect", camera.aspect);
        finite(at, "near", camera.near);
        finite(at, "far", camera.far);
        properties(at, camera.properties);
    }

    void checkInstances(const PathPart& at, const InstanceSet& set) {
        optionalIndex(at, "reference", set.reference, scene_.references.size());
        index(at, "node", set.node, scene_.nodes.size());
        std::span<const std::uint32_t> names;
        std::span<const float> transforms;
        if (!column(at, "names", set.names, set.block, names)) return;
        allBelow(at, "names", names, scene_.strings.list().size());
        if (floats(at, "transforms", set.transforms, set.block, std::uint64_t{names.size()} * 10, transforms))
            unitQuaternions(at, "transforms", transforms, 3, 10);
    }

    void checkExpression(const PathPart& at, const Expression& expression) {
        text(at, "name", expression.name);
        text(at, "preset", expression.preset);
        for (std::size_t i = 0; i < expression.bindings.size() && !full(); ++i) {
            const ExpressionBinding& binding = expression.bindings[i];
            const PathPart bindingAt{&at, "bindings", i};
            finite(bindingAt, "weight", binding.weight);
            index(bindingAt, "renderer", binding.renderer, scene_.renderers.size());
            if (binding.renderer >= scene_.renderers.size()) continue;
            const std::uint32_t mesh = scene_.renderers[binding.renderer].mesh;
            if (mesh < scene_.meshes.size()) index(bindingAt, "morph", binding.morph, scene_.meshes[mesh].morphs.size());
        }
    }

    const Scene& scene_;
    const Arena& arena_;
    const std::size_t limit_;
    Vector<std::string> broken_;
};

}  // namespace

Vector<std::string> validateScene(const Scene& scene, const Arena& arena, std::size_t limit) {
    return Validator(scene, arena, limit).run();
}

}  // namespace rigcast
