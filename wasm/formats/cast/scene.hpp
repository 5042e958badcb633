// Converts a Cast document to a scene. The conversion consists of several files: scene (roots and
// models), skeleton, mesh, material, animation and instances.
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

/// The options in `formatOptions.cast`, parsed.
struct CastOptions {
    FileSpace space;  // up axis and unit; if the up axis is not set, the metadata determines it
    /// Winding of faces. automatic: reversed if almost all faces point in the opposite direction of
    /// their normals. file: as stored. reversed: always reversed.
    enum class Winding : std::uint8_t { automatic, file, reversed } winding = Winding::automatic;
    // True if dual-quaternion skinning applies bone scale, as in Blender; false if it ignores bone
    // scale, as in Maya.
    bool dualQuaternionScale = false;
};
CastOptions castOptions(const Input& input, Diagnostics& diagnostics);

/// State that all functions of the conversion share.
struct CastContext {
    const CastDocument& document;
    CastValues values{document};
    Scene& scene;
    Arena& arena;
    CastFindings& findings;
    CastOptions options;
    Source* source = nullptr;  // used for long arrays that are not in memory (index.hpp)
    // True if the caller requested tangents. The columns of meshes without tangents must then be in
    // the heap, where tangents are computed.
    bool addsTangents = false;
    NamedTextures textures = {};
    /// A file or colour to which material slots refer. Each target is converted only once.
    struct Target {
        std::uint32_t textures[2] = {none, none};  // texture indices: for data slots, for colour slots
        float color[4] = {};
        std::string_view name;  // name of a colour
        bool isRead[3] = {};
    };
    Vector<std::uint32_t> targetOf = {};  // index in `targets` for each document node; none: not converted yet
    Vector<Target> targets = {};

    /// Returns true if an array is so long that it is not loaded into memory but read from the
    /// source.
    bool isFar(Bytes payload) const { return isFar(payload.size()); }
    bool isFar(std::size_t bytes) const { return source && bytes >= castFarSize; }
    void load(Bytes payload) const {
        if (isFar(payload)) source->load(static_cast<std::size_t>(document.offsetOf(payload)), payload.size());
    }
    /// Returns the bytes of `count` elements of an array. The result refers to the file if the
    /// array is in memory, otherwise to a copy in `buffer`.
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

    /// Returns the name of a node (property `n`), or `fallback` if the node has no name.
    std::string name(std::uint32_t node, std::string_view fallback) const { return values.text(node, "n", fallback); }
    /// Returns the number in a property. If it is not finite as a float, reports a finding and
    /// returns `fallback`.
    double number(std::uint32_t node, CastName name, double fallback);
    double number(std::uint32_t node, const CastProperty& property, CastName name, double fallback);
    Vec3 vec3(std::uint32_t node, CastName name, Vec3 fallback);
    /// Returns the normalized quaternion in a property. Reports damage.
    Quat rotation(std::uint32_t node, CastName name);
    /// Returns a copy of a text that many nodes may share. If all copies together exceed the work
    /// budget, returns an empty text and reports a finding for `node`.
    std::string shared(std::string_view text, std::uint32_t node);
    /// Returns the unknown properties of a node, except those with large values, which only the
    /// outline contains.
    Properties unknownProperties(std::uint32_t node) const;
};

/// Resolves links among the children of a node (cast.md section 1.3). Hashes can repeat within a
/// file.
class CastLinks {
public:
    CastLinks() = default;
    /// Collects the children of `parent` whose id is in `ids`.
    CastLinks(const CastDocument& document, std::uint32_t parent, std::initializer_list<std::uint32_t> ids);
    /// Returns the first target whose hash is the value of the property of `node`. If no target has
    /// this hash, reports a finding and returns CastNode::noParent.
    std::uint32_t find(CastContext& context, std::uint32_t node, CastName property) const;
    std::uint32_t find(CastContext& context, std::uint32_t node, std::string_view property, std::uint64_t hash) const;

private:
    Vector<std::pair<std::uint64_t, std::uint32_t>> targets_;  // sorted by hash, then file order
};

/// Maps document nodes to scene indices. Nodes must be added in file order.
class CastMap {
public:
    void add(std::uint32_t node, std::uint32_t made) { list_.push_back({node, made}); }
    /// Returns the scene index of a node, or `none` if the node was not added.
    std::uint32_t find(std::uint32_t node) const;

private:
    Vector<std::pair<std::uint32_t, std::uint32_t>> list_;
};

/// A skeleton in the scene.
struct CastSkeleton {
    std::uint32_t node = CastNode::noParent;  // document node
    std::uint32_t owner = 0;                  // scene node to which root bones are attached
    Vector<std::uint32_t> bones;              // scene nodes, in file order
    Vector<Mat4> rest;                        // rest matrices relative to `owner`, in file order
    std::uint32_t skin = none;                // skin, created for the first mesh that needs it
};

/// State that all meshes of a model share.
struct CastModel {
    std::uint32_t node = 0;   // document node
    std::uint32_t owner = 0;  // scene node
    CastSkeleton skeleton;
    CastLinks materialLinks;
    CastMap materials;  // document node -> scene material
    CastMap meshes;     // document node -> scene mesh
    CastMap renderers;  // document node -> scene renderer
    bool hasShapes = false;
    std::optional<JointBoxes> boxes = {};  // joint boxes of streamed meshes
};

void addCastSkeleton(CastContext& context, std::uint32_t skeleton, std::uint32_t owner, CastSkeleton& made);
/// Adds IK handles and constraints as features of the scene.
void addCastRigging(CastContext& context, const CastSkeleton& skeleton);
/// Returns the skin of the skeleton. Returns `none` if the budget is exceeded.
std::uint32_t castSkin(CastContext& context, CastSkeleton& skeleton);

void addCastMaterial(CastContext& context, std::uint32_t material, CastModel& model);
/// Returns the scene material of a mesh, or `none` if it has no valid material.
std::uint32_t castMaterialOf(CastContext& context, std::uint32_t node, const CastModel& model);

void addCastMesh(CastContext& context, std::uint32_t mesh, CastModel& model);
/// Adds a mesh with its renderer and material to the scene.
void showCastMesh(CastContext& context, std::uint32_t node, CastModel& model, Mesh mesh);
/// Completes the joint boxes of a model with streamed meshes. Must be called after all meshes have
/// been added.
void finishCastBoxes(CastContext& context, CastModel& model);
void addCastHair(CastContext& context, std::uint32_t hair, CastModel& model);
/// Adds the blend shapes of a model. Must be called after all meshes have been added.
void addCastBlendShapes(CastContext& context, CastModel& model);

/// Adds the clips. Must be called after all models have been added, because the targets of curves
/// are checked against bones.
void addCastClips(CastContext& context, const Vector<std::uint32_t>& animations);

void addCastInstances(CastContext& context, const Vector<std::uint32_t>& instances);

/// Adds the content of the file to a scene that contains only nodes[0].
void addCastScene(CastContext& context);

}  // namespace rigcast
