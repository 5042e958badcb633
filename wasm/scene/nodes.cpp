// Sorts nodes, breaks cycles in the hierarchy, and computes rest matrices and inverse bind
// matrices.

#include <algorithm>
#include <cmath>

#include "scene/lower.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// Returns node indices in file order, except that each ancestor precedes its first descendant.
Vector<std::uint32_t> orderOf(const Vector<Node>& nodes) {
    Vector<std::uint32_t> order;
    order.reserve(nodes.size());
    Vector<std::uint8_t> placed(nodes.size());
    Vector<std::uint32_t> chain;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::uint32_t at = static_cast<std::uint32_t>(i); at < nodes.size() && !placed[at]; at = nodes[at].parent) {
            placed[at] = true;  // set before visiting ancestors, so that cycles end the loop
            chain.push_back(at);
        }
        order.insert(order.end(), chain.rbegin(), chain.rend());
        chain.clear();
    }
    return order;
}

}  // namespace

void parentsFirst(Scene& scene, Arena& arena) {
    bool sorted = true;
    for (std::size_t i = 0; i < scene.nodes.size() && sorted; ++i) sorted = scene.nodes[i].parent == none || scene.nodes[i].parent < i;
    if (sorted) return;

    const Vector<std::uint32_t> order = orderOf(scene.nodes);
    Vector<std::uint32_t> newIndex(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) newIndex[order[i]] = static_cast<std::uint32_t>(i);
    const auto remap = [&](std::uint32_t& node) {
        if (node < newIndex.size()) node = newIndex[node];
    };

    Vector<Node> nodes;
    nodes.reserve(order.size());
    for (const std::uint32_t old : order) nodes.push_back(std::move(scene.nodes[old]));
    scene.nodes = std::move(nodes);
    for (Node& node : scene.nodes) remap(node.parent);
    SeenColumns done;
    for (Skin& skin : scene.skins) {
        remap(skin.skeletonRoot);
        if (!done.add(skin.joints)) continue;
        for (std::uint32_t& joint : arena.values(skin.joints)) remap(joint);
    }
    for (Renderer& renderer : scene.renderers) remap(renderer.node);
    for (Light& light : scene.lights) remap(light.node);
    for (Camera& camera : scene.cameras) remap(camera.node);
    for (InstanceSet& set : scene.instances) remap(set.node);
    for (Feature& feature : scene.features) remap(feature.node);
    for (Clip& clip : scene.clips)
        for (Track& track : clip.tracks) remap(track.node);
}

Vector<Mat4> restMatrices(const Scene& scene) {
    Vector<Mat4> matrices(scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        Mat4 local = compose(node.local);
        if (node.parent >= i) {
            matrices[i] = local;
            continue;
        }
        const Node& parent = scene.nodes[node.parent];
        if (node.segmentScaleCompensate && parent.bone >= 0) {
            // The world matrix is parent * T C R S, where C is the inverse of the parent's scale
            // (cast.md section 3.1). C scales the rows of R S, but not the translation. A parent
            // scale of 0 is not compensated.
            const double scale[3] = {parent.local.scale.x, parent.local.scale.y, parent.local.scale.z};
            const bool isInvertible = scale[0] != 0 && scale[1] != 0 && scale[2] != 0;
            for (int row = 0; row < 3 && isInvertible; ++row)
                for (int column = 0; column < 3; ++column) local.m[column * 4 + row] /= scale[row];
        }
        matrices[i] = matrices[node.parent] * local;
    }
    return matrices;
}

bool setJoints(Arena& arena, Skin& skin, std::span<const std::uint32_t> joints, std::span<const Mat4> rest,
               Vector<std::uint32_t>& singular) {
    skin.block = arena.addBlock();
    skin.joints = arena.copy(skin.block, joints);
    auto matrices = arena.allocate<float>(skin.block, std::uint64_t{joints.size()} * 16);
    if (!skin.joints.present() || !matrices) return false;
    invertRest(rest.first(joints.size()), matrices.values, singular);
    skin.inverseBindMatrices = matrices.column;
    return true;
}

void invertRest(std::span<const Mat4> rest, std::span<float> inverses, Vector<std::uint32_t>& singular) {
    for (std::uint32_t i = 0; i < rest.size(); ++i) {
        Mat4 inverse;
        bool isGood = invertAffine(rest[i], inverse);
        for (const double value : inverse.m) isGood &= std::fabs(value) <= 3.4e38;
        if (!isGood) {
            singular.push_back(i);
            inverse = {};
        }
        for (std::size_t k = 0; k < 16; ++k) inverses[std::size_t{i} * 16 + k] = static_cast<float>(inverse.m[k]);
    }
}

Vector<std::uint32_t> cutCycles(Vector<std::uint32_t>& parents) {
    Vector<std::uint32_t> cut;
    // For each node, the number (starting at 1) of the walk that visited it, or 0 if it has not
    // been visited.
    Vector<std::uint32_t> visit(parents.size(), 0);
    for (std::uint32_t start = 0; start < parents.size(); ++start) {
        std::uint32_t at = start;
        while (at != none && visit[at] == 0) {
            visit[at] = start + 1;
            at = parents[at];
        }
        if (at == none || visit[at] != start + 1) continue;
        std::uint32_t first = at;
        for (std::uint32_t i = parents[at]; i != at; i = parents[i]) first = std::min(first, i);
        cut.push_back(first);
        parents[first] = none;
    }
    return cut;
}

}  // namespace rigcast
