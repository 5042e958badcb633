// Passes that every format shares on the way from its document to the scene.
#pragma once

#include <cstdint>
#include <span>

#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Skin influences of points (source vertices) in CSR form: those of point p are [offsets[p], offsets[p+1]).
struct PointInfluences {
    Vector<std::uint32_t> offsets;  // points + 1
    Vector<std::uint32_t> joints;
    Vector<float> weights;
};

/// The same, as it lies in records of a file: joint (32 bit) and weight of influence i are `stride` * i bytes behind those of the first.
struct InfluenceRecords {
    std::span<const std::uint32_t> offsets;
    const std::uint8_t* joints = nullptr;
    const std::uint8_t* weights = nullptr;
    std::size_t stride = 0;
    std::uint32_t joint(std::size_t i) const { return loadValue<std::uint32_t>(joints + i * stride); }
    float weight(std::size_t i) const { return loadValue<float>(weights + i * stride); }
};

/// What making influences GPU-ready changed, for the caller's findings.
struct InfluenceSummary {
    std::uint32_t duplicates = 0;     // points naming a joint twice (summed)
    std::uint32_t notNormalized = 0;  // points whose sum was off by more than 1e-3, or with a negative weight
    std::uint32_t unweighted = 0;     // points without a positive weight (bound to joint 0)
    std::uint32_t maximum = 0;        // most influences of a point
    bool isFullListCut = false;       // points with more than four share theirs among so many vertices that only the four were made
};

/// So many vertices have indices of 16 bits, more have them of 32.
inline constexpr std::uint32_t narrowVertices = 65535;

/// So many joints have indices of 8 bits, more have them of 16.
inline constexpr std::size_t narrowJoints = 256;

/// Where the four joints of each vertex go, as wide as a skin of so many joints needs them.
class JointOutlet {
public:
    JointOutlet() = default;
    JointOutlet(Arena& arena, std::uint32_t block, std::uint64_t vertices, std::size_t jointCount) {
        if (jointCount <= narrowJoints)
            narrow_ = arena.outlet<std::uint8_t>(block, 4 * vertices);
        else
            wide_ = arena.outlet<std::uint16_t>(block, 4 * vertices);
    }

    explicit operator bool() const { return narrow_ || wide_; }
    void giveTo(Mesh& mesh) const {
        mesh.joints8 = narrow_.column();
        mesh.joints16 = wide_.column();
    }

    /// Memory for the next `count` joints, until they are `put`.
    std::uint16_t* room(std::size_t count) {
        if (wide_) return wide_.room(count);
        if (window_.size() < count) window_.resize(count);
        return window_.data();
    }
    void put(std::size_t count);

private:
    Outlet<std::uint8_t> narrow_;
    Outlet<std::uint16_t> wide_;
    Vector<std::uint16_t> window_;
};

/// Whether a mesh names joints.
inline bool hasJoints(const Mesh& mesh) { return mesh.joints8.present() || mesh.joints16.present(); }

/// Drops weights that are not positive and finite, sums duplicates, sorts strongest first (ties: lower joint), normalises to 1, and gives
/// `mesh` its four (and, where a point has more, the full list). The caller has proven that joints are below `jointCount` (16 bit), offsets and
/// `pointOfVertex` (empty: vertex = point). The summary counts points that some vertex names. Columns that `mesh` has for its four are written into.
/// False when the arena's budget is spent.
bool setInfluences(Arena& arena, Mesh& mesh, std::size_t jointCount, const InfluenceRecords& points,
                   std::span<const std::uint32_t> pointOfVertex, InfluenceSummary& summary);
bool setInfluences(Arena& arena, Mesh& mesh, std::size_t jointCount, const PointInfluences& points,
                   std::span<const std::uint32_t> pointOfVertex, InfluenceSummary& summary);

/// Writes the four strongest influences of each point into `joints` and `weights`, cleaned as by `setInfluences`.
void cleanInfluences(const PointInfluences& points, std::uint16_t* joints, float* weights, InfluenceSummary& summary);

/// Copies `count` floats. True where all are finite.
bool copyFloats(const std::uint8_t* from, std::size_t count, float* to);
/// The same into a new column, with 0 for what is not finite; `damaged` counts these. False when the arena's budget is spent.
bool copyFinite(Arena& arena, std::uint32_t block, const std::uint8_t* from, std::uint64_t count, Column<float>& column,
                std::uint64_t& damaged, std::size_t group = 1);
/// Sets every group with a number that is not finite to 0, for example a whole direction. Returns the number of these numbers.
std::uint64_t makeFinite(std::span<float> values, std::size_t group = 1);

/// Images that a file names by their paths, each made once, as image, texture and reference. A scene's only ones.
class NamedTextures {
public:
    /// The texture; `none` for no path.
    std::uint32_t add(Scene& scene, const std::string& path, bool isColor);

private:
    StringTable images_;    // scene.images by the path as the file spells it
    StringTable textures_;  // scene.textures by colour space and path
};

/// Area-weighted normals, smooth over every point (vertices of one point share a normal across UV seams). `positions` 3n,
/// `indices` triangles, `pointOfVertex` n or empty. Points that no triangle with area names get (0, 1, 0).
void smoothNormals(std::span<const float> positions, std::span<const std::uint32_t> indices, std::span<const std::uint32_t> pointOfVertex,
                   std::span<float> normals);

/// Adds smooth normals to a mesh of triangles; writes into the column of normals if it has one. Returns false if the budget is spent.
bool addSmoothNormals(Arena& arena, Mesh& mesh, std::span<const std::uint32_t> pointOfVertex = {});

/// Returns true if each of `count` normals (3 floats) has a length and so a direction.
bool haveLength(const std::uint8_t* normals, std::size_t count);

/// Replaces normals without a length by the smooth normals of the surrounding faces. Returns the number of replaced normals, without those of vertices
/// that no triangle uses.
std::uint64_t repairNormals(std::span<const float> positions, std::span<const std::uint32_t> indices,
                            std::span<const std::uint32_t> pointOfVertex, std::span<float> normals);

/// Does the same for a mesh. Returns false if the budget is spent.
bool repairNormals(Arena& arena, Mesh& mesh, std::uint64_t& repaired, std::span<const std::uint32_t> pointOfVertex = {});

/// Corners that must split because their faces do not smooth together: result of `smoothingSplit`.
struct SmoothingSplit {
    Vector<std::uint32_t> indices;       // the triangles with split vertices
    Vector<std::uint32_t> sourceVertex;  // for each resulting vertex the vertex it came from; the first n are 0 .. n-1
    Vector<float> normals;               // 3 a resulting vertex
};

/// Normals by smoothing groups: two faces at a point share a normal where (a & b) != 0, transitively; group 0 is faceted
/// (psk-psa.md section 6.2). `groups` has one entry per triangle.
SmoothingSplit smoothingSplit(std::span<const float> positions, std::span<const std::uint32_t> indices,
                              std::span<const std::uint32_t> groups, std::span<const std::uint32_t> pointOfVertex);

/// Tangents (MikkTSpace's per-triangle basis, area-weighted, orthogonalised) for a mesh that has normals and UV set 0.
/// No vertex is split: where mirrored UVs meet, the larger area wins. False when the arena's budget is spent or the mesh lacks what it takes.
bool addTangents(Arena& arena, Mesh& mesh);

/// Which axis conventions of a left-handed source are mirrored to the scene's right-handed space by negating z: positions and
/// directions (x, y, -z), quaternions (-x, -y, z, w), matrices M A M, winding reversed. One pass, told the handedness of each kind of
/// data, since VGO keeps curves left-handed in right-handed files. Runs before computeBounds. Property bags are the format's own.
struct Handedness {
    bool geometry = false;  // true: left-handed, to be mirrored
    bool nodes = false;
    bool tracks = false;
};
void mirrorZ(Scene& scene, Arena& arena, const Handedness& leftHanded);

/// Columns that were seen already: owners may share them.
class SeenColumns {
public:
    template <class T>
    bool add(const Column<T>& column) {
        return column.present() && column.count > 0 && add(column.block, column.offset);
    }

private:
    bool add(std::uint32_t block, std::uint32_t offset) {
        const std::uint32_t key[2] = {block, offset};
        return seen_.add({reinterpret_cast<const char*>(key), sizeof key});
    }
    StringTable seen_;
};

/// Re-orders nodes so that parents come first (late ancestors move before their first descendant), and rewrites every index that names
/// a node, those in property bags excepted. Parents are proven acyclic.
void parentsFirst(Scene& scene, Arena& arena);

/// Gives a skin its joints and the inverses of their rest matrices, in its block. `singular`: joints without an inverse, which got the identity.
/// False when the arena's budget is spent.
bool setJoints(Arena& arena, Skin& skin, std::span<const std::uint32_t> joints, std::span<const Mat4> rest,
               Vector<std::uint32_t>& singular);

/// The inverses that `setJoints` gives a skin, 16 numbers a joint.
void invertRest(std::span<const Mat4> rest, std::span<float> inverses, Vector<std::uint32_t>& singular);

/// Cuts each cycle of parents (`none`: no parent) at its first entry, which has no parent then; these are returned.
Vector<std::uint32_t> cutCycles(Vector<std::uint32_t>& parents);

/// Box and sphere of every mesh at rest, and the joint boxes of every skin, which have none yet. Runs last, on every scene.
void computeBounds(Scene& scene, Arena& arena);

/// World matrices of all nodes at rest, segment scale compensation included.
Vector<Mat4> restMatrices(const Scene& scene);

}  // namespace rigcast
