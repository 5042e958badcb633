// Functions for converting a document to a scene, used by all formats.
#pragma once

#include <cstdint>
#include <span>

#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Skin influences of points (the vertices in the file) in compressed sparse row (CSR) form. Point
/// p has the influences offsets[p] to offsets[p + 1] - 1.
struct PointInfluences {
    Vector<std::uint32_t> offsets;  // one per point, and the total number of influences
    Vector<std::uint32_t> joints;
    Vector<float> weights;
};

/// Skin influences in the records of a file. `joints` and `weights` point to the joint (32 bits)
/// and the weight (float) of the first influence; those of influence i follow `stride` * i bytes
/// later.
struct InfluenceRecords {
    std::span<const std::uint32_t> offsets;
    const std::uint8_t* joints = nullptr;
    const std::uint8_t* weights = nullptr;
    std::size_t stride = 0;
    std::uint32_t joint(std::size_t i) const { return loadValue<std::uint32_t>(joints + i * stride); }
    float weight(std::size_t i) const { return loadValue<float>(weights + i * stride); }
};

/// Counts the points that `setInfluences` repaired. The caller reports them.
struct InfluenceSummary {
    std::uint32_t duplicates = 0;  // points with repeated joints, whose weights were summed
    // Points with a negative weight, or whose weights have a sum that differs from 1 by more than
    // 1e-3.
    std::uint32_t notNormalized = 0;
    std::uint32_t unweighted = 0;  // points without a positive weight, which are attached to joint 0
    std::uint32_t maximum = 0;     // largest number of influences of a point
    // True if the full list was omitted because it would exceed the work budget. Only four
    // influences per vertex were then written.
    bool isFullListCut = false;
};

/// Maximum number of vertices of a mesh with 16-bit indices.
inline constexpr std::uint32_t narrowVertices = 65535;

/// Maximum number of joints of a skin with 8-bit joint indices.
inline constexpr std::size_t narrowJoints = 256;

/// A streaming column with four joint indices per vertex. Indices have 8 or 16 bits, depending on
/// the number of joints.
class StreamingJoints {
public:
    StreamingJoints() = default;
    StreamingJoints(Arena& arena, std::uint32_t block, std::uint64_t vertices, std::size_t jointCount) {
        if (jointCount <= narrowJoints)
            narrow_ = arena.streamColumn<std::uint8_t>(block, 4 * vertices);
        else
            wide_ = arena.streamColumn<std::uint16_t>(block, 4 * vertices);
    }

    explicit operator bool() const { return narrow_ || wide_; }
    void assignTo(Mesh& mesh) const {
        mesh.joints8 = narrow_.column();
        mesh.joints16 = wide_.column();
    }

    /// Returns memory for the next `count` joints, valid until `commit`.
    std::uint16_t* next(std::size_t count) {
        if (wide_) return wide_.next(count);
        if (window_.size() < count) window_.resize(count);
        return window_.data();
    }
    void commit(std::size_t count);

private:
    StreamingColumn<std::uint8_t> narrow_;
    StreamingColumn<std::uint16_t> wide_;
    Vector<std::uint16_t> window_;
};

inline bool hasJoints(const Mesh& mesh) { return mesh.joints8.present() || mesh.joints16.present(); }

/// Cleans skin influences: removes influences whose weight is not positive and finite, sums the
/// weights of equal joints, sorts influences from strongest to weakest (equal weights by joint) and
/// scales the weights to a sum of 1. Writes the four strongest influences of each vertex to `mesh`,
/// and the full list if a point has more than four. Replaces existing joints and weights. The
/// caller must check that joints are below `jointCount` (16 bits), and that offsets and
/// `pointOfVertex` are valid. If `pointOfVertex` is empty, vertex i uses point i. Returns false if
/// the budget is exceeded.
bool setInfluences(Arena& arena, Mesh& mesh, std::size_t jointCount, const PointInfluences& points,
                   std::span<const std::uint32_t> pointOfVertex, InfluenceSummary& summary);

/// Writes the four strongest influences of each point to `joints` and `weights`, cleaned as in
/// `setInfluences`.
void cleanInfluences(const PointInfluences& points, std::uint16_t* joints, float* weights, InfluenceSummary& summary);

/// Copies `count` floats. Returns true if all are finite.
bool copyFloats(const std::uint8_t* from, std::size_t count, float* to);
/// Copies floats into a new column. If a float is not finite, all floats of its group (such as a
/// vector) become 0. Sets `damaged` to the number of non-finite floats. Returns false if the budget
/// is exceeded.
bool copyFinite(Arena& arena, std::uint32_t block, const std::uint8_t* from, std::uint64_t count, Column<float>& column,
                std::uint64_t& damaged, std::size_t group = 1);
/// Sets all numbers of a group to 0 if one of them is not finite. `group`: number of floats per
/// group. Returns how many numbers are not finite.
std::uint64_t makeFinite(std::span<float> values, std::size_t group = 1);

/// Adds an image, a texture and a reference for each image path of a file. Paths may repeat. The
/// scene must not contain other images.
class NamedTextures {
public:
    /// Returns the index of the texture, or `none` if the path is empty.
    std::uint32_t add(Scene& scene, const std::string& path, bool isColor);

private:
    StringTable images_;    // indices into scene.images, by path in the file
    StringTable textures_;  // indices into scene.textures, by colour space and path
};

/// Computes smooth normals, weighted by triangle area. Vertices of the same point share a normal,
/// even across UV seams. For n vertices, `positions` has 3n floats, and `pointOfVertex` has n
/// elements or is empty. Points without a triangle of positive area get the normal (0, 1, 0).
void smoothNormals(std::span<const float> positions, std::span<const std::uint32_t> indices, std::span<const std::uint32_t> pointOfVertex,
                   std::span<float> normals);

/// Writes smooth normals to a triangle mesh. Adds a column of normals if the mesh has none. Returns
/// false if the budget is exceeded.
bool addSmoothNormals(Arena& arena, Mesh& mesh, std::span<const std::uint32_t> pointOfVertex = {});

/// Returns true if all `count` normals (3 floats each) have a length above zero.
bool haveLength(const std::uint8_t* normals, std::size_t count);

/// Replaces normals of zero length with smooth normals. Returns the number of replaced normals, not
/// counting vertices that no triangle uses.
std::uint64_t repairNormals(std::span<const float> positions, std::span<const std::uint32_t> indices,
                            std::span<const std::uint32_t> pointOfVertex, std::span<float> normals);

/// Replaces normals of zero length in a mesh with smooth normals and counts them in `repaired`.
/// Returns false if the budget is exceeded.
bool repairNormals(Arena& arena, Mesh& mesh, std::uint64_t& repaired, std::span<const std::uint32_t> pointOfVertex = {});

/// Result of `smoothingSplit`: triangles whose vertices were split along edges where the adjacent
/// faces do not share normals.
struct SmoothingSplit {
    Vector<std::uint32_t> indices;  // three per triangle
    // For each vertex, the index of the original vertex. The first n elements, for the n original
    // vertices, are 0 to n - 1.
    Vector<std::uint32_t> sourceVertex;
    Vector<float> normals;  // 3 floats per vertex
};

/// Computes normals from smoothing groups. Each triangle has a bit mask of groups. Two faces at a
/// point share a normal if their masks have a common bit or if other faces at the point connect
/// them. Faces with mask 0 are flat (psk-psa.md section 6.2).
SmoothingSplit smoothingSplit(std::span<const float> positions, std::span<const std::uint32_t> indices,
                              std::span<const std::uint32_t> groups, std::span<const std::uint32_t> pointOfVertex);

/// Adds tangents to a mesh with normals and UV set 0. Averages the tangents of adjacent triangles
/// (computed as in MikkTSpace), weighted by area, and makes the result orthogonal to the normal.
/// Does not split vertices: where mirrored UVs meet, the side with the larger area determines the
/// sign. Returns false if the mesh lacks normals or UVs, or if the budget is exceeded.
bool addTangents(Arena& arena, Mesh& mesh);

/// Declares which data of a scene is left-handed. This data is mirrored by negating z: positions
/// and directions (x, y, -z), quaternions (-x, -y, z, w), matrices (M A M), winding (reversed). VGO
/// files can have left-handed curves in a right-handed scene. Properties are not mirrored.
/// Mirroring must precede `computeBounds`.
struct Handedness {
    bool geometry = false;  // true: left-handed
    bool nodes = false;
    bool tracks = false;
};
void mirrorZ(Scene& scene, Arena& arena, const Handedness& leftHanded);

/// The set of visited columns. Needed because several meshes or tracks can share a column.
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

/// An instance of another file, relative to the root of the scene.
struct PlacedFile {
    Transform transform;
    StringId name = 0;
};
/// Adds a reference to the file at `path` and an instance set. Returns false if the budget is
/// exceeded.
bool addInstances(Scene& scene, Arena& arena, const std::string& path, std::span<const PlacedFile> instances);

/// Sorts nodes so that parents precede children: an ancestor that follows one of its descendants is
/// moved before the first of them. Updates all node indices except those in properties. Parents
/// must not form cycles.
void parentsFirst(Scene& scene, Arena& arena);

/// Sets the joints and inverse bind matrices of a skin. `rest`: rest matrices of the joints. Sets
/// `singular` to the joints whose rest matrix is not invertible; the identity is used as their
/// inverse. Returns false if the budget is exceeded.
bool setJoints(Arena& arena, Skin& skin, std::span<const std::uint32_t> joints, std::span<const Mat4> rest,
               Vector<std::uint32_t>& singular);

/// Inverts rest matrices in the same way as `setJoints`. Writes 16 floats per joint.
void invertRest(std::span<const Mat4> rest, std::span<float> inverses, Vector<std::uint32_t>& singular);

/// Breaks cycles: sets the parent of one node of each cycle to `none` (no parent). Returns these
/// nodes.
Vector<std::uint32_t> cutCycles(Vector<std::uint32_t>& parents);

/// Computes the bounding boxes and spheres of meshes and the boxes of joints, unless the reader has
/// computed them. Must run after all other steps.
void computeBounds(Scene& scene, Arena& arena);

/// Returns the world matrices of all nodes in the rest pose, with segment scale compensation.
Vector<Mat4> restMatrices(const Scene& scene);

}  // namespace rigcast
