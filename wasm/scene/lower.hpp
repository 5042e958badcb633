// Passes that all formats use when they convert their document to a scene.
#pragma once

#include <cstdint>
#include <span>

#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Skin influences of points (source vertices) in CSR form: those of point p have the indices
/// offsets[p] to offsets[p + 1] - 1.
struct PointInfluences {
    Vector<std::uint32_t> offsets;  // one more than there are points
    Vector<std::uint32_t> joints;
    Vector<float> weights;
};

/// Skin influences in the records of a file: the joint (32 bits) and the weight of influence i are
/// `stride` * i bytes after the first ones.
struct InfluenceRecords {
    std::span<const std::uint32_t> offsets;
    const std::uint8_t* joints = nullptr;
    const std::uint8_t* weights = nullptr;
    std::size_t stride = 0;
    std::uint32_t joint(std::size_t i) const { return loadValue<std::uint32_t>(joints + i * stride); }
    float weight(std::size_t i) const { return loadValue<float>(weights + i * stride); }
};

/// Counts of the repairs by `setInfluences`, for findings of the caller.
struct InfluenceSummary {
    std::uint32_t duplicates = 0;  // points with several influences by one joint (summed)
    // Points with a negative weight, or a sum that differs from 1 by more than 1e-3.
    std::uint32_t notNormalized = 0;
    std::uint32_t unweighted = 0;  // points without a positive weight (bound to joint 0)
    std::uint32_t maximum = 0;     // largest number of influences of a point
    // Only four per vertex were written, because the full list would exceed the work budget.
    bool isFullListCut = false;
};

/// Maximum vertices of a mesh with 16-bit indices; larger meshes have 32-bit indices.
inline constexpr std::uint32_t narrowVertices = 65535;

/// Maximum joints of a skin with 8-bit joint indices; larger skins have 16-bit indices.
inline constexpr std::size_t narrowJoints = 256;

/// Writes the four joints of each vertex, with 8 or 16 bits depending on the size of the skin.
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

/// Cleans skin influences: drops weights that are not positive and finite, sums duplicates, sorts
/// strongest first (ties: lower joint) and scales to a sum of 1. Then writes the four strongest per
/// vertex to `mesh` and, if a point has more, the full list. Existing columns of joints and weights
/// are overwritten. The summary counts points that a vertex uses. The caller has checked that
/// joints are below `jointCount` (16 bits), and that offsets and `pointOfVertex` (empty: vertex =
/// point) are valid. Returns false if the budget is exceeded.
bool setInfluences(Arena& arena, Mesh& mesh, std::size_t jointCount, const PointInfluences& points,
                   std::span<const std::uint32_t> pointOfVertex, InfluenceSummary& summary);

/// Writes the four strongest influences of each point into `joints` and `weights`, cleaned as by
/// `setInfluences`.
void cleanInfluences(const PointInfluences& points, std::uint16_t* joints, float* weights, InfluenceSummary& summary);

/// Copies `count` floats. Returns true if all are finite.
bool copyFloats(const std::uint8_t* from, std::size_t count, float* to);
/// Copies floats into a new column and replaces non-finite ones by 0, together with the others of
/// their group. `damaged` receives their number. Returns false if the budget is exceeded.
bool copyFinite(Arena& arena, std::uint32_t block, const std::uint8_t* from, std::uint64_t count, Column<float>& column,
                std::uint64_t& damaged, std::size_t group = 1);
/// Sets every group that contains a non-finite number, such as a direction, to 0. Returns the
/// number of non-finite numbers.
std::uint64_t makeFinite(std::span<float> values, std::size_t group = 1);

/// Creates image, texture and reference for each image path of a file, once per path. The scene
/// must not have other images.
class NamedTextures {
public:
    /// Returns the texture, or `none` if the path is empty.
    std::uint32_t add(Scene& scene, const std::string& path, bool isColor);

private:
    StringTable images_;    // scene.images by path as spelled in the file
    StringTable textures_;  // scene.textures by colour space and path
};

/// Computes area-weighted smooth normals. Vertices of a point share a normal, also across UV seams.
/// `positions` has 3n floats, `indices` triangles, and `pointOfVertex` n entries or none. Points
/// without a triangle that has an area get (0, 1, 0).
void smoothNormals(std::span<const float> positions, std::span<const std::uint32_t> indices, std::span<const std::uint32_t> pointOfVertex,
                   std::span<float> normals);

/// Adds smooth normals to a mesh of triangles; writes into the column of normals if it has one.
/// Returns false if the budget is spent.
bool addSmoothNormals(Arena& arena, Mesh& mesh, std::span<const std::uint32_t> pointOfVertex = {});

/// Returns true if each of `count` normals (3 floats) has a length and so a direction.
bool haveLength(const std::uint8_t* normals, std::size_t count);

/// Replaces normals without a length by the smooth normals of the surrounding faces. Returns the
/// number of replaced normals, without those of vertices that no triangle uses.
std::uint64_t repairNormals(std::span<const float> positions, std::span<const std::uint32_t> indices,
                            std::span<const std::uint32_t> pointOfVertex, std::span<float> normals);

/// Does the same for a mesh. Returns false if the budget is spent.
bool repairNormals(Arena& arena, Mesh& mesh, std::uint64_t& repaired, std::span<const std::uint32_t> pointOfVertex = {});

/// Triangles whose vertices are split between faces that do not share normals. Result of
/// `smoothingSplit`.
struct SmoothingSplit {
    Vector<std::uint32_t> indices;  // of the triangles, with split vertices
    // Original vertex of each vertex; the first n are 0 to n - 1.
    Vector<std::uint32_t> sourceVertex;
    Vector<float> normals;  // 3 floats per vertex
};

/// Computes normals from smoothing groups. Two faces at a point share a normal if (a & b) != 0,
/// transitively; faces of group 0 are flat (psk-psa.md section 6.2). `groups` has one entry per
/// triangle.
SmoothingSplit smoothingSplit(std::span<const float> positions, std::span<const std::uint32_t> indices,
                              std::span<const std::uint32_t> groups, std::span<const std::uint32_t> pointOfVertex);

/// Adds tangents (MikkTSpace's basis per triangle, weighted by area, orthogonalised) to a mesh with
/// normals and UV set 0. Does not split vertices: at a seam of mirrored UVs the larger area wins.
/// Returns false if the budget is exceeded or the mesh lacks normals or UVs.
bool addTangents(Arena& arena, Mesh& mesh);

/// Kinds of data that are left-handed and must be mirrored to the right-handed scene by negating z.
/// This affects positions and directions (x, y, -z), quaternions (-x, -y, z, w), matrices (M A M)
/// and winding (reversed). The kinds are separate because VGO stores left-handed curves in
/// right-handed files. Properties are not mirrored. Runs before computeBounds.
struct Handedness {
    bool geometry = false;  // true: left-handed, to be mirrored
    bool nodes = false;
    bool tracks = false;
};
void mirrorZ(Scene& scene, Arena& arena, const Handedness& leftHanded);

/// Set of columns that a pass has already visited, because several owners can share a column.
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

/// Sorts nodes so that parents precede children: a late ancestor moves before its first descendant.
/// Updates all node indices except those in properties. Parents must be acyclic.
void parentsFirst(Scene& scene, Arena& arena);

/// Sets the joints of a skin and the inverses of their rest matrices, in the skin's block.
/// `singular` receives the joints without an inverse, which get the identity. Returns false if the
/// budget is exceeded.
bool setJoints(Arena& arena, Skin& skin, std::span<const std::uint32_t> joints, std::span<const Mat4> rest,
               Vector<std::uint32_t>& singular);

/// Writes the inverse bind matrices of `setJoints`, 16 floats per joint.
void invertRest(std::span<const Mat4> rest, std::span<float> inverses, Vector<std::uint32_t>& singular);

/// Removes the parent of the first visited node of each cycle. Returns these nodes. `none` means no
/// parent.
Vector<std::uint32_t> cutCycles(Vector<std::uint32_t>& parents);

/// Computes missing boxes and spheres of meshes at rest, and missing joint boxes of skins. Runs
/// last, for every scene.
void computeBounds(Scene& scene, Arena& arena);

/// Returns the world matrices of all nodes at rest, with segment scale compensation.
Vector<Mat4> restMatrices(const Scene& scene);

}  // namespace rigcast
