// Skin influences as files have them (any order, any number, any sum) made into what a GPU takes.
#include <algorithm>
#include <cmath>

#include "core/order.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr std::size_t gpuInfluences = 4;

struct Influence {
    std::uint32_t joint;
    double weight;
};

bool isStronger(const Influence& a, const Influence& b) { return a.weight > b.weight || (a.weight == b.weight && a.joint < b.joint); }

/// The influences of one point, cleaned: positive, one a joint, strongest first, sum 1. Scratch memory is kept from point to point.
class PointCleaner {
public:
    explicit PointCleaner(InfluenceSummary& summary) : summary_(summary) {}

    std::span<const Influence> clean(const InfluenceRecords& all, std::size_t point) {
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
        for (Influence& influence : list_) influence.weight /= sum;
        summary_.maximum = std::max(summary_.maximum, static_cast<std::uint32_t>(list_.size()));
        if (list_.size() > gpuInfluences) {
            ++summary_.aboveFour;
            double omitted = 0;
            for (std::size_t i = gpuInfluences; i < list_.size(); ++i) omitted += list_[i].weight;
            summary_.largestOmitted = std::max(summary_.largestOmitted, static_cast<float>(omitted));
        }
        return list_;
    }

private:
    static constexpr std::size_t few = 16;  // up to here comparing all with all is the fastest

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
            sortBy(list_, [](const Influence& influence) { return -influence.weight; });  // they are in the order of their joints
            return;
        }
        for (std::size_t i = 1; i < list_.size(); ++i)
            for (std::size_t j = i; j > 0 && isStronger(list_[j], list_[j - 1]); --j) std::swap(list_[j], list_[j - 1]);
    }

    InfluenceSummary& summary_;
    std::vector<Influence> list_;
};

/// The four strongest of a cleaned list, made to sum 1.
void writeStrongest(std::span<const Influence> influences, std::uint16_t* joints, float* weights) {
    const std::size_t count = std::min(influences.size(), gpuInfluences);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += influences[i].weight;
    for (std::size_t i = 0; i < gpuInfluences; ++i) {
        joints[i] = i < count ? static_cast<std::uint16_t>(influences[i].joint) : 0;
        weights[i] = i < count ? static_cast<float>(influences[i].weight / sum) : 0;
    }
}

/// What nearly every point of every file is, without a list and without branches that depend on the weights: one to four influences, positive
/// and finite, of different joints. False, and nothing is noted, where there is more to clean.
bool writeFew(const InfluenceRecords& all, std::size_t point, InfluenceSummary& summary, std::uint16_t* joints, float* weights) {
    const std::size_t first = all.offsets[point], count = all.offsets[point + 1] - first;
    if (count == 0 || count > gpuInfluences) return false;
    // Positive floats are ordered as their bits are, so one integer holds what sorts: the weight, then the lower joint. These are nothing.
    std::uint64_t keys[gpuInfluences] = {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
    double sum = 0;
    bool isClean = true;
    for (std::size_t i = 0; i < count; ++i) {
        const float weight = all.weight(first + i);
        const auto bits = bitCast<std::uint32_t>(weight);
        isClean &= bits - 1 < 0x7F7FFFFF;
        keys[i] = std::uint64_t{bits} << 32 | static_cast<std::uint32_t>(~all.joint(first + i));
        sum += weight;
        for (std::size_t j = 0; j < i; ++j) isClean &= static_cast<std::uint32_t>(keys[j]) != static_cast<std::uint32_t>(keys[i]);
    }
    if (!isClean) return false;
    const auto order = [&](std::size_t a, std::size_t b) {
        const std::uint64_t stronger = std::max(keys[a], keys[b]), weaker = std::min(keys[a], keys[b]);
        keys[a] = stronger;
        keys[b] = weaker;
    };
    order(0, 1);
    order(2, 3);
    order(0, 2);
    order(1, 3);
    order(1, 2);
    const double scale = 1 / sum;
    for (std::size_t i = 0; i < gpuInfluences; ++i) {
        joints[i] = static_cast<std::uint16_t>(~keys[i]);
        weights[i] = static_cast<float>(bitCast<float>(static_cast<std::uint32_t>(keys[i] >> 32)) * scale);
    }
    if (std::fabs(sum - 1) > 1e-3) ++summary.notNormalized;
    summary.maximum = std::max(summary.maximum, static_cast<std::uint32_t>(count));
    return true;
}

}  // namespace

bool setInfluences(Arena& arena, Mesh& mesh, const InfluenceRecords& points, std::span<const std::uint32_t> pointOfVertex,
                   InfluenceSummary& summary) {
    const std::size_t pointCount = points.offsets.empty() ? 0 : points.offsets.size() - 1;
    const std::size_t vertexCount = mesh.vertexCount;
    std::size_t longest = 0;
    for (std::size_t point = 0; point < pointCount; ++point)
        longest = std::max<std::size_t>(longest, points.offsets[point + 1] - points.offsets[point]);
    if (!arena.affords(longest * sizeof(Influence))) return false;
    const auto pointOf = [&](std::size_t vertex) { return pointOfVertex.empty() ? vertex : std::size_t{pointOfVertex[vertex]}; };

    // A point is cleaned for its first vertex; the others copy what that one got.
    std::vector<std::uint32_t> firstVertices;
    if (!pointOfVertex.empty()) {
        if (!arena.affords(pointCount * sizeof(std::uint32_t))) return false;
        firstVertices.assign(pointCount, none);
        for (std::size_t vertex = vertexCount; vertex-- > 0;) firstVertices[pointOfVertex[vertex]] = static_cast<std::uint32_t>(vertex);
    }
    const auto firstOf = [&](std::size_t vertex) {
        return firstVertices.empty() ? vertex : std::size_t{firstVertices[pointOfVertex[vertex]]};
    };

    auto joints = arena.allocate<std::uint16_t>(mesh.block, vertexCount * gpuInfluences);
    auto weights = arena.allocate<float>(mesh.block, vertexCount * gpuInfluences);
    if (!joints || !weights) return false;
    PointCleaner cleaner(summary);
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) {
        const std::size_t first = firstOf(vertex);
        std::uint16_t* toJoints = &joints.values[vertex * gpuInfluences];
        float* toWeights = &weights.values[vertex * gpuInfluences];
        if (first != vertex) {
            std::memcpy(toJoints, &joints.values[first * gpuInfluences], gpuInfluences * sizeof(std::uint16_t));
            std::memcpy(toWeights, &weights.values[first * gpuInfluences], gpuInfluences * sizeof(float));
        } else if (!writeFew(points, pointOf(vertex), summary, toJoints, toWeights)) {
            writeStrongest(cleaner.clean(points, pointOf(vertex)), toJoints, toWeights);
        }
    }
    mesh.maxInfluences = std::max(mesh.maxInfluences, summary.maximum);
    mesh.joints = joints.column;
    mesh.weights = weights.column;
    if (summary.maximum <= gpuInfluences) return true;

    // The full list, which is rare: every point is cleaned once more to count, and once to write.
    InfluenceSummary again;
    PointCleaner repeat(again);
    auto offsets = arena.allocate<std::uint32_t>(mesh.block, vertexCount + 1);
    if (!offsets) return false;
    std::uint64_t total = 0;
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) {
        const std::size_t first = firstOf(vertex);
        offsets.values[vertex] = static_cast<std::uint32_t>(total);
        total += first != vertex ? offsets.values[first + 1] - offsets.values[first] : repeat.clean(points, pointOf(vertex)).size();
    }
    offsets.values[vertexCount] = static_cast<std::uint32_t>(total);
    auto allJoints = arena.allocate<std::uint16_t>(mesh.block, total);
    auto allWeights = arena.allocate<float>(mesh.block, total);
    if (!allJoints || !allWeights) return false;
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) {
        const std::size_t first = firstOf(vertex);
        std::size_t at = offsets.values[vertex];
        if (first != vertex) {
            const std::size_t from = offsets.values[first], count = offsets.values[first + 1] - from;
            std::copy_n(&allJoints.values[from], count, &allJoints.values[at]);
            std::copy_n(&allWeights.values[from], count, &allWeights.values[at]);
            continue;
        }
        for (const Influence& influence : repeat.clean(points, pointOf(vertex))) {
            allJoints.values[at] = static_cast<std::uint16_t>(influence.joint);
            allWeights.values[at++] = static_cast<float>(influence.weight);
        }
    }
    mesh.influenceOffsets = offsets.column;
    mesh.influenceJoints = allJoints.column;
    mesh.influenceWeights = allWeights.column;
    return true;
}

bool setInfluences(Arena& arena, Mesh& mesh, const PointInfluences& points, std::span<const std::uint32_t> pointOfVertex,
                   InfluenceSummary& summary) {
    const InfluenceRecords records{points.offsets, reinterpret_cast<const std::uint8_t*>(points.joints.data()),
                                   reinterpret_cast<const std::uint8_t*>(points.weights.data()), sizeof(float)};
    return setInfluences(arena, mesh, records, pointOfVertex, summary);
}

}  // namespace rigcast
