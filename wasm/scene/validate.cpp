#include "scene/validate.hpp"

#include <algorithm>

#include "scene/lower.hpp"
#include "scene/promises.hpp"

namespace rigcast {

namespace {

/// Checks relations between fields, which rules in scene.def cannot express.
class Validator : Promises {
public:
    using Promises::Promises;

    Vector<std::string> run() {
        if (scene_.nodes.empty()) report("nodes", "there is no root");
        check(StructId::Scene, &scene_);
        return std::move(broken_);
    }

private:
    void relations(StructId id, const void* object) override {
        switch (id) {
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) \
    case StructId::type:            \
        return relations(*static_cast<const type*>(object));
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
        }
    }
    template <class Struct>
    void relations(const Struct&) {}  // for structs whose fields are independent of each other

    void relations(const Asset& asset) {
        if (!isSmall(asset.metresPerUnit) || !(asset.metresPerUnit > 0)) report("metresPerUnit", "is not a positive number");
    }

    void relations(const Node& node) {
        const std::size_t own = at_->index;
        if (own == 0 && node.parent != none) report("parent", "the root has a parent");
        if (own > 0 && node.parent >= own) report("parent", node.parent == none ? "a second root" : "does not come before its child");
        const auto& [t, q, s] = node.local;
        for (const double value : {t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z}) {
            if (isSmall(value)) continue;
            report("local", "is not finite as floats");
            break;
        }
        if (!(std::fabs(lengthSquared(q) - 1) <= 1e-3)) report("local.rotation", "is not of unit length");
        if (node.bone < -1) report("bone", "is below -1");
    }

    void relations(const Mesh& mesh) {
        checkInfluences(mesh);
        const std::uint64_t ranged = mesh.topology == Topology::triangles ? checkTriangles(mesh) : checkStrands(mesh);
        if (mesh.sourceVertices.present()) allBelow("sourceVertices", arena_.values(mesh.sourceVertices), mesh.sourceVertexCount);
        each("groups", mesh.groups, [&](const Group& group) {
            if (std::uint64_t{group.start} + group.count > ranged)
                report("", "reaches beyond the " + std::to_string(ranged) + " entries there are");
            if (mesh.topology == Topology::triangles && (group.start % 3 || group.count % 3)) report("", "cuts a triangle");
        });
        each("morphs", mesh.morphs,
             [&](const MorphTarget& morph) { allBelow("vertices", arena_.values(morph.vertices), mesh.vertexCount); });
        if (!(mesh.radius >= 0) || !std::isfinite(mesh.radius)) report("radius", "is not a length");
        for (int k = 0; k < 3; ++k)
            if (mesh.min[k] > mesh.max[k]) report("min", "is above max");
    }

    void relations(const ColorLayer& layer) {
        if (layer.bytes.present() == layer.floats.present()) report("", "holds neither or both of bytes and floats");
    }

    void relations(const MorphTarget& morph) {
        const auto vertices = arena_.values(morph.vertices);
        for (std::size_t i = 1; i < vertices.size(); ++i) {
            if (vertices[i - 1] < vertices[i]) continue;
            report("vertices", "are not ascending and unique at " + std::to_string(i));
            break;
        }
    }

    void relations(const Renderer& renderer) {
        if (renderer.mesh >= scene_.meshes.size()) return;
        const Mesh& mesh = scene_.meshes[renderer.mesh];
        if (!renderer.materials.empty() && renderer.materials.size() != mesh.groups.size())
            report("materials", "are not one a group of the mesh");
        if (renderer.skin >= scene_.skins.size()) return;
        const std::uint64_t jointCount = scene_.skins[renderer.skin].joints.count;
        if (!hasJoints(mesh)) return report("skin", "the mesh has no joints");
        if (jointCount == 0 && mesh.vertexCount > 0) return report("skin", "has no joints");
        inside({nullptr, "meshes", renderer.mesh}, [&] {
            allBelow("joints", arena_.values(mesh.joints8), jointCount);
            allBelow("joints", arena_.values(mesh.joints16), jointCount);
            allBelow("influenceJoints", arena_.values(mesh.influenceJoints), jointCount);
        });
    }

    void relations(const Skin& skin) {
        if (skin.joints.count > 65536) report("joints", "are more than 16-bit joint indices can name");
    }

    void relations(const Clip& clip) {
        if (clip.duration < 0) report("duration", "is negative");
        if (clip.frameRate < 0) report("frameRate", "is negative");
        if (emptyTracks_ != (clip.keysUnread ? clip.tracks.size() : 0)) report("keysUnread", "tracks have no keys exactly if this is set");
        emptyTracks_ = 0;
        if ((!clip.tracks.empty() || !clip.events.empty()) && clip.block >= arena_.blocks().size()) report("block", "is not a block");
    }

    void relations(const Track& track) {
        const std::size_t wholeWidth = track.path == Path::rotation                                   ? 4
                                       : track.path == Path::translation || track.path == Path::scale ? 3
                                                                                                      : 1;
        const bool whole = track.component == allComponents;
        if (!whole && track.component >= wholeWidth) report("component", "the value has no such component");
        const std::uint64_t width = whole ? wholeWidth : 1;
        const bool rotation = whole && track.path == Path::rotation;

        if (!track.times.present() && !track.values.present()) return void(++emptyTracks_);  // checked in the clip
        std::span<const float> times, values;
        if (track.times.block == lastTimes_.block && track.times.offset == lastTimes_.offset && track.times.count == lastTimes_.count)
            times = arena_.values(track.times);  // adjacent tracks often share their times
        else if (!column("times", track.times, block_, times) || !allFinite("times", times))
            return;
        else if (!std::is_sorted(times.begin(), times.end()))
            report("times", "are not ascending");
        lastTimes_ = track.times;
        if (times.empty()) return report("times", "there is no key");
        const std::uint64_t k = times.size();
        if (!column("values", track.values, block_, k * width, values) || !allFinite("values", values)) return;

        bool slerp = track.interpolation == Interpolation::slerp;
        bool curved = track.interpolation == Interpolation::hermite || track.interpolation == Interpolation::bezier;
        bool weighted = track.interpolation == Interpolation::bezier;
        const bool perKey = track.interpolation == Interpolation::perKey;
        if (perKey != track.kinds.present()) report("kinds", "must exist exactly if the interpolation is per key");
        std::span<const std::uint8_t> kinds;
        if (perKey && track.kinds.present() && column("kinds", track.kinds, block_, k, kinds)) {
            allBelow("kinds", kinds, static_cast<std::uint64_t>(Interpolation::perKey));
            for (const std::uint8_t kind : kinds) {
                slerp |= kind == static_cast<std::uint8_t>(Interpolation::slerp);
                weighted |= kind == static_cast<std::uint8_t>(Interpolation::bezier);
                curved |= kind == static_cast<std::uint8_t>(Interpolation::hermite) || weighted;
            }
        }
        if (slerp && !rotation) report("interpolation", "slerp is for whole rotations");
        if (rotation) unitQuaternions("values", values, 0, 4);

        std::span<const float> tangents;
        if (curved && !track.tangents.present()) report("tangents", "are missing");
        if (track.tangents.present() && column("tangents", track.tangents, block_, k * width * 2, tangents))
            if (std::any_of(tangents.begin(), tangents.end(), [](float value) { return std::isnan(value); }))
                report("tangents", "one is not a number");
        if (weighted && !track.weights.present()) report("weights", "are missing");
        std::span<const float> weights;
        if (track.weights.present() && column("weights", track.weights, block_, k * width * 2, weights)) allFinite("weights", weights);
    }

    void relations(const InstanceSet& set) { unitQuaternions("transforms", arena_.values(set.transforms), 3, 10); }

    void relations(const Feature& feature) {
        if (feature.same == none) return;
        if (feature.same >= at_->index || scene_.features[feature.same].same != none || !feature.properties.empty())
            report("same", "names no earlier feature with properties of its own, or has some itself");
    }

    void relations(const ExpressionBinding& binding) {
        if (binding.renderer >= scene_.renderers.size()) return;
        const std::uint32_t mesh = scene_.renderers[binding.renderer].mesh;
        if (mesh < scene_.meshes.size()) index("morph", binding.morph, scene_.meshes[mesh].morphs.size());
    }

    void checkInfluences(const Mesh& mesh) {
        const std::uint64_t n = mesh.vertexCount;
        if (hasJoints(mesh) != mesh.weights.present()) report("joints", "joints and weights come together or not at all");
        if (mesh.joints8.present() && mesh.joints16.present()) report("joints", "joints are given twice");
        const auto weights = arena_.values(mesh.weights);
        if (!areFours(weights))
            for (std::size_t vertex = 0; vertex < weights.size() / 4; ++vertex)
                if (!checkWeights("weights", vertex, weights.subspan(vertex * 4, 4))) break;

        const bool offsetsPresent = mesh.influenceOffsets.present();
        if (offsetsPresent != mesh.influenceJoints.present() || offsetsPresent != mesh.influenceWeights.present())
            return report("influenceOffsets", "the three columns of all influences come together or not at all");
        if (offsetsPresent != (mesh.maxInfluences > 4))
            report("maxInfluences", "all influences must exist exactly for vertices with more than four");
        if (!offsetsPresent) return;
        if (!hasJoints(mesh)) report("joints", "the strongest four are missing");
        const auto starts = arena_.values(mesh.influenceOffsets);
        const auto allWeights = arena_.values(mesh.influenceWeights);
        if (!areAsMany("influenceOffsets", starts.size(), n + 1)) return;
        if (!areAsMany("influenceWeights", allWeights.size(), mesh.influenceJoints.count)) return;
        if (!offsets("influenceOffsets", starts, allWeights.size())) return;
        for (std::size_t vertex = 0; vertex < n; ++vertex) {
            const std::size_t count = starts[vertex + 1] - starts[vertex];
            if (count > mesh.maxInfluences) return report("maxInfluences", "vertex " + std::to_string(vertex) + " has more");
            if (!checkWeights("influenceWeights", vertex, allWeights.subspan(starts[vertex], count))) return;
        }
    }

    /// Returns true if the weights of all vertices pass `checkWeights`. Contains no branches.
    static bool areFours(std::span<const float> weights) {
        bool good = true;
        for (std::size_t i = 0; i + 4 <= weights.size(); i += 4) {
            const float a = weights[i], b = weights[i + 1], c = weights[i + 2], d = weights[i + 3];
            const float sum = a + b + c + d;
            good &= (a >= b) & (b >= c) & (c >= d) & (d >= 0) & ((sum == 0) | (std::fabs(sum - 1) <= 1e-3f));
        }
        return good;
    }

    /// Checks that the weights of a vertex are not negative, descend, and have a sum of 1 or 0.
    bool checkWeights(std::string_view member, std::size_t vertex, std::span<const float> weights) {
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
            report(member, "a weight is negative" + of);
        else if (!sorted)
            report(member, "weights are not strongest first" + of);
        else
            report(member, "weights sum to neither 1 nor 0" + of);
        return false;
    }

    /// Checks the triangles of a mesh. Returns the number of indices.
    std::uint64_t checkTriangles(const Mesh& mesh) {
        if (mesh.strandOffsets.present()) report("strandOffsets", "triangles have no strands");
        if (mesh.indices16.present() && mesh.indices32.present()) report("indices16", "indices are given twice");
        std::uint64_t count = 0;
        if (mesh.indices16.present()) count = checkIndices("indices16", mesh.indices16, mesh.vertexCount, mesh.vertexCount <= 65535);
        if (mesh.indices32.present()) count = checkIndices("indices32", mesh.indices32, mesh.vertexCount, mesh.vertexCount > 65535);
        return count;
    }

    template <class Index>
    std::uint64_t checkIndices(std::string_view member, const Column<Index>& data, std::uint32_t vertexCount, bool rightWidth) {
        const auto values = arena_.values(data);
        if (!rightWidth) report(member, "16 bit up to 65535 vertices, 32 bit above");
        if (values.size() % 3 != 0) report(member, "a triangle lacks corners");
        allBelow(member, values, vertexCount);
        return values.size();
    }

    /// Checks the strands of a mesh: each must consist of consecutive vertices. Returns the number
    /// of vertices.
    std::uint64_t checkStrands(const Mesh& mesh) {
        if (mesh.indices16.present() || mesh.indices32.present()) report("indices16", "strands have no indices");
        if (mesh.strandOffsets.present())
            offsets("strandOffsets", arena_.values(mesh.strandOffsets), mesh.vertexCount);
        else
            report("strandOffsets", "are missing");
        return mesh.vertexCount;
    }

    /// Checks the offsets of a compressed sparse row (CSR) list: the first must be 0, the last must
    /// be `end`, and offsets must not decrease.
    bool offsets(std::string_view member, std::span<const std::uint32_t> values, std::uint64_t end) {
        if (!values.empty() && values.front() == 0 && values.back() == end && std::is_sorted(values.begin(), values.end())) return true;
        report(member, "offsets do not rise from 0 to " + std::to_string(end));
        return false;
    }

    void unitQuaternions(std::string_view member, std::span<const float> values, std::size_t first, std::size_t stride) {
        for (std::size_t i = first; i + 4 <= values.size(); i += stride) {
            const float* q = &values[i];
            const float squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            if (!(std::fabs(squared - 1) <= 1e-3f))
                return report(member, "quaternion " + std::to_string(i / stride) + " is not of unit length");
        }
    }

    Column<float> lastTimes_;
    std::size_t emptyTracks_ = 0;  // tracks of the current clip without times and values
};

}  // namespace

Vector<std::string> validateScene(const Scene& scene, const Arena& arena, std::size_t limit) {
    return Validator(scene, arena, limit).run();
}

}  // namespace rigcast
