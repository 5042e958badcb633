// Computes smooth normals, normals of smoothing groups, and replacements for damaged normals.
#include <algorithm>
#include <cmath>

#include "scene/lower.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

Vec3 positionOf(std::span<const float> positions, std::uint32_t vertex) {
    const float* at = &positions[std::size_t{vertex} * 3];
    return {at[0], at[1], at[2]};
}

/// Minimum squared length of a valid normal.
constexpr float leastSquare = 1e-12f;

/// Returns the normal of a triangle. Its length is twice the area of the triangle, so sums of such
/// normals are weighted by area.
Vec3 areaNormal(std::span<const float> positions, const std::uint32_t* triangle) {
    const Vec3 a = positionOf(positions, triangle[0]);
    return cross(positionOf(positions, triangle[1]) - a, positionOf(positions, triangle[2]) - a);
}

void writeNormal(float* to, const Vec3& sum) {
    const double size = length(sum);
    const bool known = size > 0 && std::isfinite(size);
    to[0] = known ? static_cast<float>(sum.x / size) : 0;
    to[1] = known ? static_cast<float>(sum.y / size) : 1;
    to[2] = known ? static_cast<float>(sum.z / size) : 0;
}

/// Returns the number of points: the largest index plus 1.
std::size_t countPoints(std::size_t vertexCount, std::span<const std::uint32_t> pointOfVertex) {
    if (pointOfVertex.empty()) return vertexCount;
    return std::size_t{*std::max_element(pointOfVertex.begin(), pointOfVertex.end())} + 1;
}

/// Cluster id of a corner whose normal is not shared.
constexpr std::uint32_t alone = none;

/// The triangle corners at each point, in triangle order. Corner k of triangle t has the index 3 t
/// + k.
struct Corners {
    Vector<std::uint32_t> offsets;
    Vector<std::uint32_t> list;
};

template <class PointOf>
Corners cornersByPoint(std::span<const std::uint32_t> indices, std::size_t pointCount, PointOf pointOf) {
    Corners corners{Vector<std::uint32_t>(pointCount + 1), Vector<std::uint32_t>(indices.size())};
    for (const std::uint32_t vertex : indices) ++corners.offsets[pointOf(vertex) + 1];
    for (std::size_t point = 0; point < pointCount; ++point) corners.offsets[point + 1] += corners.offsets[point];
    Vector<std::uint32_t> next(corners.offsets.begin(), corners.offsets.end() - 1);
    for (std::size_t corner = 0; corner < indices.size(); ++corner)
        corners.list[next[pointOf(indices[corner])]++] = static_cast<std::uint32_t>(corner);
    return corners;
}

/// Assigns a cluster id to every triangle corner at a point. Faces that share a normal form a
/// cluster; a face without smoothing groups gets `alone`. `masks`: scratch memory for the combined
/// smoothing groups of each cluster. A point has at most 32 clusters with groups, because each of
/// the 32 groups is in only one cluster.
void clusterCorners(std::span<const std::uint32_t> corners, std::span<const std::uint32_t> groups, Vector<std::uint32_t>& masks,
                    std::span<std::uint32_t> ids) {
    masks.clear();
    for (const std::uint32_t corner : corners) {
        std::uint32_t merged = groups[corner / 3];
        if (merged == 0) continue;
        std::size_t kept = 0;
        for (const std::uint32_t mask : masks) {
            if (mask & merged)
                merged |= mask;
            else
                masks[kept++] = mask;
        }
        masks.resize(kept);
        masks.push_back(merged);
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::uint32_t group = groups[corners[i] / 3];
        ids[i] = group == 0 ? alone : 0;
        while (group != 0 && !(masks[ids[i]] & group)) ++ids[i];
    }
}

Vector<Vec3> allFaceNormals(std::span<const float> positions, std::span<const std::uint32_t> indices) {
    Vector<Vec3> normals(indices.size() / 3);
    for (std::size_t face = 0; face < normals.size(); ++face) normals[face] = areaNormal(positions, &indices[face * 3]);
    return normals;
}

}  // namespace

void smoothNormals(std::span<const float> positions, std::span<const std::uint32_t> indices, std::span<const std::uint32_t> pointOfVertex,
                   std::span<float> normals) {
    const std::size_t vertexCount = positions.size() / 3;
    const auto pointOf = [&](std::size_t vertex) { return pointOfVertex.empty() ? vertex : std::size_t{pointOfVertex[vertex]}; };
    Vector<Vec3> sums(countPoints(vertexCount, pointOfVertex));
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const Vec3 normal = areaNormal(positions, &indices[i]);
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3& sum = sums[pointOf(indices[i + k])];
            sum = sum + normal;
        }
    }
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) writeNormal(&normals[vertex * 3], sums[pointOf(vertex)]);
}

namespace {

/// Returns the indices of a mesh as 32-bit integers. Converts 16-bit indices to `widened`; 32-bit
/// indices are not copied.
std::span<const std::uint32_t> trianglesOf(Arena& arena, const Mesh& mesh, Vector<std::uint32_t>& widened) {
    if (mesh.indices32.present()) return arena.values(mesh.indices32);
    const auto narrow = arena.values(mesh.indices16);
    widened.assign(narrow.begin(), narrow.end());
    return widened;
}

bool affordsSmoothing(const Mesh& mesh) {
    return Budget::affords(std::uint64_t{mesh.vertexCount} * (sizeof(Vec3) + 13) + mesh.indices16.count * 4ull);
}

}  // namespace

bool addSmoothNormals(Arena& arena, Mesh& mesh, std::span<const std::uint32_t> pointOfVertex) {
    if (!mesh.normals.present()) mesh.normals = arena.allocate<float>(mesh.block, std::uint64_t{mesh.vertexCount} * 3).column;
    if (!mesh.normals.present() || !affordsSmoothing(mesh)) return false;
    Vector<std::uint32_t> widened;
    smoothNormals(arena.values(mesh.positions), trianglesOf(arena, mesh, widened), pointOfVertex, arena.values(mesh.normals));
    mesh.normalsComputed = true;
    return true;
}

bool haveLength(const std::uint8_t* normals, std::size_t count) {
    bool have = true;
    for (std::size_t i = 0; i < count; ++i) {
        const auto x = loadValue<float>(normals + 12 * i), y = loadValue<float>(normals + 12 * i + 4),
                   z = loadValue<float>(normals + 12 * i + 8);
        have &= x * x + y * y + z * z > leastSquare;
    }
    return have;
}

std::uint64_t repairNormals(std::span<const float> positions, std::span<const std::uint32_t> indices,
                            std::span<const std::uint32_t> pointOfVertex, std::span<float> normals) {
    Vector<std::uint8_t> isNamed(normals.size() / 3);
    for (const std::uint32_t vertex : indices) isNamed[vertex] = 1;
    Vector<float> smooth(normals.size());
    smoothNormals(positions, indices, pointOfVertex, smooth);
    std::uint64_t repaired = 0;
    for (std::size_t vertex = 0; vertex < isNamed.size(); ++vertex) {
        float* const normal = &normals[3 * vertex];
        if (haveLength(reinterpret_cast<const std::uint8_t*>(normal), 1)) continue;
        std::copy_n(&smooth[3 * vertex], 3, normal);
        repaired += isNamed[vertex];
    }
    return repaired;
}

bool repairNormals(Arena& arena, Mesh& mesh, std::uint64_t& repaired, std::span<const std::uint32_t> pointOfVertex) {
    const auto normals = arena.values(mesh.normals);
    if (haveLength(reinterpret_cast<const std::uint8_t*>(normals.data()), normals.size() / 3)) return true;
    if (!affordsSmoothing(mesh)) return false;
    Vector<std::uint32_t> widened;
    repaired = repairNormals(arena.values(mesh.positions), trianglesOf(arena, mesh, widened), pointOfVertex, normals);
    return true;
}

SmoothingSplit smoothingSplit(std::span<const float> positions, std::span<const std::uint32_t> indices,
                              std::span<const std::uint32_t> groups, std::span<const std::uint32_t> pointOfVertex) {
    const std::size_t vertexCount = positions.size() / 3;
    const auto pointOf = [&](std::uint32_t vertex) { return pointOfVertex.empty() ? vertex : pointOfVertex[vertex]; };
    const std::size_t pointCount = countPoints(vertexCount, pointOfVertex);
    const Vector<Vec3> faceNormals = allFaceNormals(positions, indices);
    const Corners corners = cornersByPoint(indices, pointCount, pointOf);

    SmoothingSplit result;
    result.indices.assign(indices.begin(), indices.end());
    result.sourceVertex.resize(vertexCount);
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) result.sourceVertex[vertex] = static_cast<std::uint32_t>(vertex);
    Vector<Vec3> sums(vertexCount);
    // Linked lists of the vertices that were split from each vertex. Vertices of flat faces are not
    // in the lists, because they share no normal and are never searched for.
    constexpr std::uint32_t unused = alone - 1;
    Vector<std::uint32_t> clusterOf(vertexCount, unused), nextSplit(vertexCount, none);
    Vector<std::uint32_t> ids, masks;
    Vector<Vec3> clusterSums;

    for (std::size_t point = 0; point < pointCount; ++point) {
        const std::size_t begin = corners.offsets[point], count = corners.offsets[point + 1] - begin;
        if (count == 0) continue;
        const std::span<const std::uint32_t> around(&corners.list[begin], count);
        ids.resize(count);
        clusterCorners(around, groups, masks, ids);
        clusterSums.assign(count, Vec3{});
        for (std::size_t i = 0; i < count; ++i)
            if (ids[i] != alone) clusterSums[ids[i]] = clusterSums[ids[i]] + faceNormals[around[i] / 3];
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t vertex = indices[around[i]];
            std::uint32_t target = vertex;
            if (clusterOf[vertex] == unused) {
                clusterOf[vertex] = ids[i];
            } else {
                if (ids[i] == alone)
                    target = none;
                else
                    while (target != none && clusterOf[target] != ids[i]) target = nextSplit[target];
                if (target == none) {
                    target = static_cast<std::uint32_t>(result.sourceVertex.size());
                    result.sourceVertex.push_back(vertex);
                    clusterOf.push_back(ids[i]);
                    nextSplit.push_back(none);
                    sums.emplace_back();
                    if (ids[i] != alone) {
                        nextSplit[target] = nextSplit[vertex];
                        nextSplit[vertex] = target;
                    }
                }
            }
            sums[target] = ids[i] == alone ? faceNormals[around[i] / 3] : clusterSums[ids[i]];
            result.indices[around[i]] = target;
        }
    }
    result.normals.resize(sums.size() * 3);
    for (std::size_t vertex = 0; vertex < sums.size(); ++vertex) writeNormal(&result.normals[vertex * 3], sums[vertex]);
    return result;
}

}  // namespace rigcast
