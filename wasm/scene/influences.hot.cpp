// Converts any number of skin influences per point, in any order, to four normalized influences per
// vertex.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/order.hpp"
#include "core/vector.hpp"
#include "scene/fourInfluences.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr std::size_t gpuInfluences = 4;

struct Influence {
    std::uint32_t joint;
    double weight;
};

bool isStronger(const Influence& a, const Influence& b) { return a.weight > b.weight || (a.weight == b.weight && a.joint < b.joint); }

/// Cleans the influences of one point: removes weights that are not positive, merges equal joints,
/// sorts influences from strongest to weakest, scales weights to a sum of 1.
class PointCleaner {
public:
    explicit PointCleaner(InfluenceSummary& summary) : summary_(summary) {}

    std::span<const Influence> clean(const InfluenceRecords& all, std::size_t point) {
        Budget::count(all.offsets[point + 1] - all.offsets[point]);
        list_.clear();
        bool negative = false;
        double sum = 0;
        for (std::size_t i = all.offsets[point]; i < all.offsets[point + 1]; ++i) {
            const float weight = all.weight(i);
            negative |= weight < 0;
            if (!(weight > 0) || !std::isfinite(weight)) continue;
            list_.push_back({all.joint(i), weight});
            sum += weight;
        }
        if (mergeDuplicates()) ++summary_.duplicates;
        if (negative || (!list_.empty() && std::fabs(sum - 1) > 1e-3)) ++summary_.notNormalized;
        if (list_.empty()) {
            ++summary_.unweighted;
            list_.push_back({0, 1});
            sum = 1;
        }
        sort();
        const double scale = 1 / sum;  // the formula in fourInfluences.hpp, for identical results
        for (Influence& influence : list_) influence.weight *= scale;
        summary_.maximum = std::max(summary_.maximum, static_cast<std::uint32_t>(list_.size()));
        return list_;
    }

private:
    static constexpr std::size_t few = 16;  // maximum number of influences for comparing all pairs

    bool mergeDuplicates() {
        const std::size_t before = list_.size();
        if (before < 2) return false;
        if (before > few) sortBy(list_, [](const Influence& influence) { return std::uint64_t{influence.joint}; });
        std::size_t kept = 0;
        for (const Influence& influence : list_) {
            std::size_t same = before > few && kept > 0 ? kept - 1 : 0;
            while (same < kept && list_[same].joint != influence.joint) ++same;
            if (same < kept)
                list_[same].weight += influence.weight;
            else
                list_[kept++] = influence;
        }
        list_.resize(kept);
        return kept < before;
    }

    void sort() {
        if (list_.size() > few) {
            // The list is sorted by joint. `sortBy` is stable, so influences with equal weights
            // remain sorted by joint.
            sortBy(list_, [](const Influence& influence) { return -influence.weight; });
            return;
        }
        for (std::size_t i = 1; i < list_.size(); ++i)
            for (std::size_t j = i; j > 0 && isStronger(list_[j], list_[j - 1]); --j) std::swap(list_[j], list_[j - 1]);
    }

    InfluenceSummary& summary_;
    Vector<Influence> list_;
};

/// Writes the four strongest influences of a cleaned list, scaled to a sum of 1.
template <class Joint>
void writeStrongest(std::span<const Influence> influences, Joint* joints, float* weights) {
    const std::size_t count = std::min(influences.size(), gpuInfluences);
    double scale = 1;  // lists of up to four influences are already scaled
    if (influences.size() > gpuInfluences) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += influences[i].weight;
        scale = 1 / sum;
    }
    for (std::size_t i = 0; i < gpuInfluences; ++i) {
        joints[i] = i < count ? static_cast<Joint>(influences[i].joint) : Joint{0};
        weights[i] = i < count ? static_cast<float>(influences[i].weight * scale) : 0;
    }
}

/// Adds the full list of influences to a mesh if a point has more than four. Cleans every point a
/// second time, which is acceptable because such meshes are rare. All influences, including copies
/// for vertices that share a point, count towards the work limit.
template <class PointOf>
bool addFullList(Arena& arena, Mesh& mesh, const InfluenceRecords& points, const PointOf& pointOf, InfluenceSummary& summary) {
    InfluenceSummary ignored;
    PointCleaner cleaner(ignored);
    // The first vertex of each point. Other vertices of a point copy the influences of the first
    // one.
    Vector<std::uint32_t> firstOf(points.offsets.size() - 1, none);
    Vector<std::uint32_t> counts(mesh.vertexCount);
    std::uint64_t total = 0;
    for (std::uint32_t vertex = 0; vertex < mesh.vertexCount; ++vertex) {
        std::uint32_t& first = firstOf[pointOf(vertex)];
        const bool isNew = first == none;
        if (isNew) first = vertex;
        counts[vertex] = isNew ? static_cast<std::uint32_t>(cleaner.clean(points, pointOf(vertex)).size()) : counts[first];
        total += counts[vertex];
    }
    // Counts one step per four bytes: an influence is a joint of two bytes and a weight of four
    // bytes.
    summary.isFullListCut = !Budget::spend(total + total / 2);
    if (summary.isFullListCut) return true;
    const auto offsets = arena.allocate<std::uint32_t>(mesh.block, std::uint64_t{mesh.vertexCount} + 1);
    const auto joints = arena.allocate<std::uint16_t>(mesh.block, total);
    const auto weights = arena.allocate<float>(mesh.block, total);
    if (!offsets || !joints || !weights) return false;
    std::uint32_t at = 0;
    for (std::uint32_t vertex = 0; vertex < mesh.vertexCount; ++vertex) {
        offsets.values[vertex] = at;
        const std::uint32_t first = firstOf[pointOf(vertex)];
        if (first < vertex) {
            std::copy_n(&joints.values[offsets.values[first]], counts[vertex], &joints.values[at]);
            std::copy_n(&weights.values[offsets.values[first]], counts[vertex], &weights.values[at]);
        } else {
            std::uint32_t to = at;
            for (const Influence& influence : cleaner.clean(points, pointOf(vertex))) {
                joints.values[to] = static_cast<std::uint16_t>(influence.joint);
                weights.values[to++] = static_cast<float>(influence.weight);
            }
        }
        at += counts[vertex];
    }
    offsets.values[mesh.vertexCount] = at;
    mesh.influenceOffsets = offsets.column;
    mesh.influenceJoints = joints.column;
    mesh.influenceWeights = weights.column;
    return true;
}

/// Writes the four strongest influences of every vertex.
template <class Joint, class PointOf>
void writeVertices(std::span<Joint> joints, std::span<float> weights, const InfluenceRecords& points, const PointOf& pointOf,
                   InfluenceSummary& summary) {
    PointCleaner cleaner(summary);
    // The first vertex of each point. Other vertices of a point copy the influences of the first
    // one, because a point can have any number of vertices.
    Vector<std::uint32_t> firstOf;
    const auto vertexCount = static_cast<std::uint32_t>(joints.size() / gpuInfluences);
    for (std::uint32_t vertex = 0; vertex < vertexCount; ++vertex) {
        const std::size_t point = pointOf(vertex);
        Joint* toJoints = &joints[vertex * gpuInfluences];
        float* toWeights = &weights[vertex * gpuInfluences];
        const std::size_t begin = points.offsets[point], count = points.offsets[point + 1] - begin;
        if (count == gpuInfluences && writeSortedFour(points, begin, none, toJoints, toWeights)) {
            summary.maximum = std::max<std::uint32_t>(summary.maximum, gpuInfluences);
            continue;
        }
        if (firstOf.empty()) firstOf.assign(points.offsets.size() - 1, none);
        const std::uint32_t first = std::exchange(firstOf[point], std::min(firstOf[point], vertex));
        if (first != none) {
            std::copy_n(&joints[first * gpuInfluences], gpuInfluences, toJoints);
            std::copy_n(&weights[first * gpuInfluences], gpuInfluences, toWeights);
            continue;
        }
        double sum = 0;
        if (count - 1 < gpuInfluences && writeFew(points, begin, count, sum, toJoints, toWeights)) {
            if (std::fabs(sum - 1) > 1e-3) ++summary.notNormalized;
            summary.maximum = std::max(summary.maximum, static_cast<std::uint32_t>(count));
        } else {
            writeStrongest(cleaner.clean(points, point), toJoints, toWeights);
        }
    }
}

InfluenceRecords recordsOf(const PointInfluences& points) {
    return {points.offsets, reinterpret_cast<const std::uint8_t*>(points.joints.data()),
            reinterpret_cast<const std::uint8_t*>(points.weights.data()), sizeof(float)};
}

}  // namespace

bool setInfluences(Arena& arena, Mesh& mesh, std::size_t jointCount, const PointInfluences& from,
                   std::span<const std::uint32_t> pointOfVertex, InfluenceSummary& summary) {
    const InfluenceRecords points = recordsOf(from);
    const std::size_t pointCount = points.offsets.empty() ? 0 : points.offsets.size() - 1;
    const std::size_t vertexCount = mesh.vertexCount;
    std::size_t longest = 0;
    for (std::size_t point = 0; point < pointCount; ++point)
        longest = std::max<std::size_t>(longest, points.offsets[point + 1] - points.offsets[point]);
    if (!Budget::affords(longest * sizeof(Influence))) return false;
    const auto pointOf = [&](std::size_t vertex) { return pointOfVertex.empty() ? vertex : std::size_t{pointOfVertex[vertex]}; };

    if (!hasJoints(mesh)) {
        const StreamingJoints joints(arena, mesh.block, vertexCount, jointCount);
        const auto weights = arena.allocate<float>(mesh.block, vertexCount * gpuInfluences);
        if (!joints || !weights) return false;
        joints.assignTo(mesh);
        mesh.weights = weights.column;
    }
    const auto weights = arena.values(mesh.weights);
    if (!Budget::affords(pointCount * 4)) return false;
    if (mesh.joints8.present())
        writeVertices(arena.values(mesh.joints8), weights, points, pointOf, summary);
    else
        writeVertices(arena.values(mesh.joints16), weights, points, pointOf, summary);
    if (summary.maximum > gpuInfluences && !addFullList(arena, mesh, points, pointOf, summary)) return false;
    mesh.maxInfluences = std::max(mesh.maxInfluences, summary.isFullListCut ? 4 : summary.maximum);
    return true;
}

void cleanInfluences(const PointInfluences& points, std::uint16_t* joints, float* weights, InfluenceSummary& summary) {
    const std::size_t four = (points.offsets.size() - 1) * gpuInfluences;
    writeVertices(
        std::span(joints, four), std::span(weights, four), recordsOf(points), [](std::size_t point) { return point; }, summary);
}

}  // namespace rigcast
