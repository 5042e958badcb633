// From a Cast document to the scene. One part a file: scene (roots, models), skeleton, mesh, material, motion, instances.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/vector.hpp"
#include "formats/cast/index.hpp"
#include "formats/cast/values.hpp"
#include "formats/format.hpp"
#include "formats/space.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// formatOptions.cast
struct CastOptions {
    FileSpace space;  // no up axis: as the file's metadata says
    /// Which way faces are wound: turned over where nearly all are against their normals, as the file has them, or the other way round.
    enum class Winding : std::uint8_t { automatic, file, reversed } winding = Winding::automatic;
    bool dualQuaternionScale = false;  // carried, as Blender does, not ignored, as Maya does
};
CastOptions castOptions(const Input& input, Diagnostics& diagnostics);

/// What the parts share.
struct CastContext {
    const CastDocument& document;
    CastValues values{document};
    Scene& scene;
    Arena& arena;
    CastFindings& findings;
    CastOptions options;
    Source* source = nullptr;   // of values that are far (index.hpp)
    bool addsTangents = false;  // later, to meshes that have none: what they are computed from stays in the heap
    NamedTextures textures = {};
    /// A file or colour that slots of materials refer to. Each is read once.
    struct Target {
        std::uint32_t textures[2] = {none, none};  // as data and as colour
        float color[4] = {};
        std::string_view name;  // of a colour
        bool isRead[3] = {};
    };
    Vector<std::uint32_t> targetOf = {};  // by node; none: nothing was read of it
    Vector<Target> targets = {};

    /// Whether an array is not there, but in the source.
    bool isFar(Bytes payload) const { return isFar(payload.size()); }
    bool isFar(std::size_t bytes) const { return source && bytes >= castFarSize; }
    void bring(Bytes payload) const {
        if (isFar(payload)) source->bring(static_cast<std::size_t>(document.offsetOf(payload)), payload.size());
    }
    /// Some of an array's bytes, where they lie or, until that is used again, in `buffer`.
    Bytes part(Bytes payload, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
        return isFar(payload) ? source->window(static_cast<std::size_t>(document.offsetOf(payload)) + first, count, buffer)
                              : payload.subspan(first, count);
    }

    const CastNode& node(std::uint32_t index) const { return document.nodes[index]; }
    void warn(Code code, std::uint32_t node, const Detail& detail = noDetail, std::string_view property = {}, std::uint64_t count = 1) {
        add(code, Severity::warning, node, detail, property, count);
    }
    void add(Code code, Severity severity, std::uint32_t node, const Detail& detail = noDetail, std::string_view property = {},
             std::uint64_t count = 1);

    /// `n`, else `fallback`.
    std::string name(std::uint32_t node, std::string_view fallback) const { return values.text(node, "n", fallback); }
    /// Finite as floats, or `fallback` and a finding.
    double number(std::uint32_t node, CastName name, double fallback);
    double number(std::uint32_t node, const CastProperty& property, CastName name, double fallback);
    Vec3 vec3(std::uint32_t node, CastName name, Vec3 fallback);
    /// Of unit length; findings for what is not.
    Quat rotation(std::uint32_t node, CastName name);
    /// Returns a text that many nodes may refer to. If copies of it take more than is in proportion to the file, the text is left out, with a finding
    /// for `node`.
    std::string shared(std::string_view text, std::uint32_t node);
    /// Unknown properties that are small enough to be shown. Large ones stay in the outline.
    Properties unknownProperties(std::uint32_t node) const;
};

/// Targets of links among the children of one parent (cast.md section 1.3): hashes are no global keys, and may repeat.
class CastLinks {
public:
    CastLinks() = default;
    /// The children of `parent` that are of one of the kinds.
    CastLinks(const CastDocument& document, std::uint32_t parent, std::initializer_list<std::uint32_t> ids);
    /// The first target with that hash; CastNode::noParent where there is none. Findings are made for `node`'s property.
    std::uint32_t find(CastContext& context, std::uint32_t node, CastName property) const;
    std::uint32_t find(CastContext& context, std::uint32_t node, std::string_view property, std::uint64_t hash) const;

private:
    Vector<std::pair<std::uint64_t, std::uint32_t>> targets_;  // by hash, then file order
};

/// What nodes of the document became. They are added in the order of the file.
class CastMap {
public:
    void add(std::uint32_t node, std::uint32_t made) { list_.push_back({node, made}); }
    /// `none` where the node became nothing.
    std::uint32_t find(std::uint32_t node) const;

private:
    Vector<std::pair<std::uint32_t, std::uint32_t>> list_;
};

/// A skeleton that became nodes.
struct CastSkeleton {
    std::uint32_t node = CastNode::noParent;  // in the document
    std::uint32_t owner = 0;                  // scene node that the root bones hang on
    Vector<std::uint32_t> bones;              // scene nodes, in file order
    Vector<Mat4> rest;                        // relative to `owner`, in file order
    std::uint32_t skin = none;                // made for the first mesh that needs it
};

/// What the meshes of one model share.
struct CastModel {
    std::uint32_t node = 0;   // in the document
    std::uint32_t owner = 0;  // in the scene
    CastSkeleton skeleton;
    CastLinks materialLinks;
    CastMap materials;  // document node -> scene material
    CastMap meshes;     // document node -> scene mesh
    CastMap renderers;  // document node -> scene renderer
    bool hasShapes = false;
    std::optional<JointBoxes> boxes = {};  // of what the joints move of streamed meshes
};

void addCastSkeleton(CastContext& context, std::uint32_t skeleton, std::uint32_t owner, CastSkeleton& made);
/// IK handles and constraints as features.
void addCastRigging(CastContext& context, const CastSkeleton& skeleton);
/// The skin of a model's skeleton; `none` where the budget is spent.
std::uint32_t castSkin(CastContext& context, CastSkeleton& skeleton);

void addCastMaterial(CastContext& context, std::uint32_t material, CastModel& model);
/// `none` where the mesh has no (usable) material.
std::uint32_t castMaterialOf(CastContext& context, std::uint32_t node, const CastModel& model);

void addCastMesh(CastContext& context, std::uint32_t mesh, CastModel& model);
/// A mesh whose columns are made: with its renderer and material.
void showCastMesh(CastContext& context, std::uint32_t node, CastModel& model, Mesh mesh);
/// After all meshes of a model that has boxes: those of its other meshes, too.
void finishCastBoxes(CastContext& context, CastModel& model);
void addCastHair(CastContext& context, std::uint32_t hair, CastModel& model);
/// After all meshes of the model.
void addCastBlendShapes(CastContext& context, CastModel& model);

/// After all models, whose bones the curves are checked against.
void addCastClips(CastContext& context, const Vector<std::uint32_t>& animations);

void addCastInstances(CastContext& context, const Vector<std::uint32_t>& instances);

/// Fills a scene that has nodes[0].
void addCastScene(CastContext& context);

}  // namespace rigcast
