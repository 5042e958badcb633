// Computes bounding boxes and spheres of meshes and joints.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scene/bounds.hpp"
#include "scene/lower.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

Vec3 vec3At(std::span<const float> values, std::size_t i) { return {values[i * 3], values[i * 3 + 1], values[i * 3 + 2]}; }

/// Returns the number of leading vertices that the bounds of a mesh include: the vertices that
/// triangles use, or all vertices if there are no triangles.
std::uint32_t boundedVertices(const Mesh& mesh) {
    return mesh.loneVertices < mesh.vertexCount ? mesh.vertexCount - mesh.loneVertices : mesh.vertexCount;
}

/// Calls `visit(vertex, position)` for every vertex that a morph target moves, with the target at
/// its maximum weight.
template <class Visit>
void forMorphExtremes(const Arena& arena, const Mesh& mesh, std::span<const float> positions, Visit visit) {
    for (const MorphTarget& morph : mesh.morphs) {
        const auto vertices = arena.values(morph.vertices);
        const auto deltas = arena.values(morph.positions);
        if (deltas.size() != vertices.size() * 3) continue;
        for (std::size_t k = 0; k < vertices.size(); ++k)
            if (vertices[k] < boundedVertices(mesh))
                visit(vertices[k], vec3At(positions, vertices[k]) + vec3At(deltas, k) * double{morph.maximum});
    }
}

}  // namespace

void boundMesh(const Arena& arena, Mesh& mesh) {
    if (mesh.radius > 0) return;  // the reader computed the bounds
    const auto positions = arena.values(mesh.positions);
    if (positions.empty() || positions.size() != std::size_t{mesh.vertexCount} * 3) return;
    float low[3] = {largestFloat, largestFloat, largestFloat}, high[3] = {-largestFloat, -largestFloat, -largestFloat};
    const std::size_t count = boundedVertices(mesh);
    for (std::size_t i = 0; i < 3 * count; i += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], positions[i + k]);
            high[k] = std::max(high[k], positions[i + k]);
        }
    for (std::size_t k = 0; k < 3; ++k) {
        // Adding 0.0 turns -0 into 0. Otherwise the sign of a zero would depend on the order of
        // vertices.
        mesh.min[k] = low[k] + 0.0;
        mesh.max[k] = high[k] + 0.0;
        mesh.center[k] = (mesh.min[k] + mesh.max[k]) / 2;
    }
    const Vec3 center{mesh.center[0], mesh.center[1], mesh.center[2]};
    double squared = 0;
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
        const Vec3 out = vec3At(positions, vertex) - center;
        squared = std::max(squared, dot(out, out));
    }
    // Uses a separate variable, so that the compiler can keep `squared` in a register during the
    // loop.
    double largestSquare = squared;
    forMorphExtremes(arena, mesh, positions, [&](std::uint32_t, const Vec3& point) {
        const Vec3 out = point - center;
        largestSquare = std::max(largestSquare, dot(out, out));
    });
    mesh.radius = std::sqrt(largestSquare);
}

void includeMesh(JointBoxes& boxes, const Arena& arena, const Mesh& mesh) {
    const auto positions = arena.values(mesh.positions);
    if (positions.size() != std::size_t{mesh.vertexCount} * 3) return;
    boxes.extendRange(mesh);
    const auto offsets = arena.values(mesh.influenceOffsets);
    const auto allJoints = arena.values(mesh.influenceJoints);
    const auto allWeights = arena.values(mesh.influenceWeights);
    const auto narrow = arena.values(mesh.joints8);
    const auto wide = arena.values(mesh.joints16);
    const auto weights = arena.values(mesh.weights);
    const bool all = offsets.size() == std::size_t{mesh.vertexCount} + 1 && allJoints.size() == allWeights.size();
    const bool four = weights.size() == std::size_t{mesh.vertexCount} * 4 && narrow.size() + wide.size() == weights.size();
    const auto grow = [&](std::size_t vertex, const float* at) {
        const FourFloats point[3] = {{at[0], at[0], at[0], at[0]}, {at[1], at[1], at[1], at[1]}, {at[2], at[2], at[2], at[2]}};
        if (all) {
            const std::size_t end = std::min<std::size_t>(offsets[vertex + 1], allJoints.size());
            for (std::size_t i = offsets[vertex]; i < end; ++i)
                if (allWeights[i] > 0) boxes.include(allJoints[i], point);
        } else if (four) {
            for (std::size_t i = vertex * 4; i < vertex * 4 + 4 && weights[i] > 0; ++i)
                boxes.include(narrow.empty() ? wide[i] : narrow[i], point);
        }
    };
    const std::size_t count = boundedVertices(mesh);
    for (std::size_t vertex = 0; vertex < count; ++vertex) grow(vertex, &positions[vertex * 3]);
    forMorphExtremes(arena, mesh, positions, [&](std::uint32_t vertex, const Vec3& moved) {
        const float point[3] = {JointBoxes::limited(moved.x), JointBoxes::limited(moved.y), JointBoxes::limited(moved.z)};
        grow(vertex, point);
    });
}

namespace {

/// The renderers of each skin, as linked lists. `first` contains the first renderer of each skin,
/// and `next` contains, for each renderer, the next one with the same skin.
struct SkinUsers {
    explicit SkinUsers(const Scene& scene) : first(scene.skins.size(), none), next(scene.renderers.size(), none) {
        for (std::size_t i = scene.renderers.size(); i-- > 0;)
            if (const std::uint32_t skin = scene.renderers[i].skin; skin < first.size())
                next[i] = std::exchange(first[skin], static_cast<std::uint32_t>(i));
    }
    Vector<std::uint32_t> first, next;
};

/// Adds a cube around the bounding sphere of a mesh to the box of every joint. Faster than
/// `includeMesh`, but results in larger boxes.
void includeSphere(JointBoxes& boxes, std::size_t joints, const Mesh& mesh) {
    for (std::uint32_t joint = 0; joint < joints; ++joint)
        for (int corner = 0; corner < 8; ++corner) {
            FourFloats point[3];
            for (int k = 0; k < 3; ++k) {
                const float at = JointBoxes::limited(mesh.center[k] + (corner >> k & 1 ? mesh.radius : -mesh.radius));
                point[k] = FourFloats{at, at, at, at};
            }
            boxes.include(joint, point);
        }
    boxes.extendRange(mesh);
}

/// Computes the joint boxes of `skin`. `index`: index of the skin. `seen`: for each mesh, the last
/// skin for which it was visited. The first visit of a mesh does not count towards the work limit.
void boundSkin(const Scene& scene, Arena& arena, const SkinUsers& users, std::uint32_t index, Skin& skin, Vector<std::uint32_t>& seen) {
    if (skin.jointBoxes.present()) return;
    const auto inverseBinds = arena.values(skin.inverseBindMatrices);
    const std::size_t jointCount = skin.joints.present() ? skin.joints.count : 0;
    if (skin.block >= arena.blocks().size() || inverseBinds.size() != jointCount * 16) return;
    JointBoxes boxes(inverseBinds, jointCount);
    for (std::uint32_t user = users.first[index]; user != none; user = users.next[user])
        if (const std::uint32_t mesh = scene.renderers[user].mesh; mesh < seen.size() && seen[mesh] != index) {
            const bool isAfforded = seen[mesh] == none || Budget::spend(scene.meshes[mesh].vertexCount);
            seen[mesh] = index;
            if (isAfforded)
                includeMesh(boxes, arena, scene.meshes[mesh]);
            else
                includeSphere(boxes, jointCount, scene.meshes[mesh]);
        }
    auto column = arena.allocate<float>(skin.block, std::uint64_t{jointCount} * 6);
    if (!column) return;
    boxes.write(column.values);
    skin.jointBoxes = column.column;
}

}  // namespace

[[gnu::cold]] bool Patches::bound(Mesh& mesh) {
    FourFloats low = patches_[0].low, high = patches_[0].high;
    for (const Patch& patch : patches_) {
        low = patch.low < low ? patch.low : low;
        high = patch.high > high ? patch.high : high;
    }
    for (int k = 0; k < 3; ++k) {
        mesh.min[k] = low[k] + 0.0;
        mesh.max[k] = high[k] + 0.0;
        mesh.center[k] = (mesh.min[k] + mesh.max[k]) / 2;
    }
    mesh.radius = std::sqrt(farthest({mesh.center[0], mesh.center[1], mesh.center[2]}));
    return mesh.radius > 0;
}

[[gnu::cold]] double Patches::farthest(const Vec3& center) {
    const auto farthestCorner = [&](const Patch& patch) {
        const Vec3 low = Vec3{patch.low[0], patch.low[1], patch.low[2]} - center,
                   high = Vec3{patch.high[0], patch.high[1], patch.high[2]} - center;
        const Vec3 most{std::max(std::abs(low.x), std::abs(high.x)), std::max(std::abs(low.y), std::abs(high.y)),
                        std::max(std::abs(low.z), std::abs(high.z))};
        return dot(most, most);
    };
    std::size_t first = 0;
    for (std::size_t i = 0; i < patches_.size(); ++i)
        if (farthestCorner(patches_[i]) > farthestCorner(patches_[first])) first = i;
    double squared = 0;
    for (std::size_t i = 0; i < patches_.size(); ++i) {
        const Patch& patch = patches_[i == 0 ? first : i == first ? 0 : i];
        if (farthestCorner(patch) > squared) squared = std::max(squared, farthestIn(patch, center));
    }
    return squared;
}

[[gnu::noinline]] void computeBounds(Scene& scene, Arena& arena) {
    for (Mesh& mesh : scene.meshes) boundMesh(arena, mesh);
    const SkinUsers users(scene);
    Vector<std::uint32_t> seen(scene.meshes.size(), none);
    for (std::uint32_t i = 0; i < scene.skins.size(); ++i) boundSkin(scene, arena, users, i, scene.skins[i], seen);
}

}  // namespace rigcast
