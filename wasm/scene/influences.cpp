// Skin influences as files have them (any order, any number, any sum) made into what a GPU takes.
#include <algorithm>
#include <cmath>
#include <limits>

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

    std::span<const Influence> clean(std::span<const std::uint32_t> joints, std::span<const float> weights) {
        list_.clear();
        bool negative = false;
        double sum = 0;
        for (std::size_t i = 0; i < joints.size(); ++i) {
            const float weight = weights[i];
            negative |= weight < 0;
            if (!(weight > 0) || !std::isfinite(weight)) continue;
            list_.push_back({joints[i], weight});
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
        if (before > few)
            std::stable_sort(list_.begin(), list_.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
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
            std::sort(list_.begin(), list_.end(), isStronger);
            return;
        }
        for (std::size_t i = 1; i < list_.size(); ++i)
            for (std::size_t j = i; j > 0 && isStronger(list_[j], list_[j - 1]); --j) std::swap(list_[j], list_[j - 1]);
    }

    InfluenceSummary& summary_;
    std::vector<Influence> list_;
};

struct Four {
    std::uint16_t joints[gpuInfluences];
    float weights[gpuInfluences];
};

Four strongestFour(std::span<const Influence> influences) {
    Four four{};
    const std::size_t count = std::min(influences.size(), gpuInfluences);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += influences[i].weight;
    for (std::size_t i = 0; i < count; ++i) {
        four.joints[i] = static_cast<std::uint16_t>(influences[i].joint);
        four.weights[i] = static_cast<float>(influences[i].weight / sum);
    }
    return four;
}

/// What nearly every point of every file is, without a list: one to four influences, positive and finite, of different joints. False, and
/// nothing is noted, where there is more to clean.
bool takeFew(std::span<const std::uint32_t> joints, std::span<const float> weights, InfluenceSummary& summary, Four& four) {
    const std::size_t count = joints.size();
    if (count == 0 || count > gpuInfluences) return false;
    float sorted[gpuInfluences];
    std::uint32_t names[gpuInfluences];
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float weight = weights[i];
        if (!(weight > 0 && weight <= std::numeric_limits<float>::max())) return false;
        for (std::size_t j = 0; j < i; ++j)
            if (joints[j] == joints[i]) return false;
        sum += weight;
        std::size_t at = i;
        for (; at > 0 && (weight > sorted[at - 1] || (weight == sorted[at - 1] && joints[i] < names[at - 1])); --at) {
            sorted[at] = sorted[at - 1];
            names[at] = names[at - 1];
        }
        sorted[at] = weight;
        names[at] = joints[i];
    }
    four = {};
    for (std::size_t i = 0; i < count; ++i) {
        four.joints[i] = static_cast<std::uint16_t>(names[i]);
        four.weights[i] = static_cast<float>(sorted[i] / sum);
    }
    if (std::fabs(sum - 1) > 1e-3) ++summary.notNormalized;
    summary.maximum = std::max(summary.maximum, static_cast<std::uint32_t>(count));
    return true;
}

}  // namespace

bool setInfluences(Arena& arena, Mesh& mesh, const PointInfluences& points, std::span<const std::uint32_t> pointOfVertex,
                   InfluenceSummary& summary) {
    const std::size_t pointCount = points.offsets.empty() ? 0 : points.offsets.size() - 1;
    const std::size_t vertexCount = mesh.vertexCount;
    if (!arena.affords(pointCount * (sizeof(Four) + sizeof(std::uint32_t)) + points.joints.size() * sizeof(Influence))) return false;

    // Once a point, in file order; the cleaned lists are kept only from the first point with more than four on, which is rare.
    PointCleaner cleaner(summary);
    std::vector<Four> fours(pointCount);
    std::vector<std::uint32_t> counts(pointCount);
    const auto jointsOf = [&](std::size_t point) {
        return std::span(points.joints).subspan(points.offsets[point], points.offsets[point + 1] - points.offsets[point]);
    };
    const auto weightsOf = [&](std::size_t point) {
        return std::span(points.weights).subspan(points.offsets[point], points.offsets[point + 1] - points.offsets[point]);
    };
    for (std::size_t point = 0; point < pointCount; ++point) {
        counts[point] = points.offsets[point + 1] - points.offsets[point];
        if (takeFew(jointsOf(point), weightsOf(point), summary, fours[point])) continue;
        const std::span<const Influence> influences = cleaner.clean(jointsOf(point), weightsOf(point));
        fours[point] = strongestFour(influences);
        counts[point] = static_cast<std::uint32_t>(influences.size());
    }
    mesh.maxInfluences = std::max(mesh.maxInfluences, summary.maximum);

    auto joints = arena.allocate<std::uint16_t>(mesh.block, vertexCount * gpuInfluences);
    auto weights = arena.allocate<float>(mesh.block, vertexCount * gpuInfluences);
    if (!joints || !weights) return false;
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) {
        const Four& four = fours[pointOfVertex.empty() ? vertex : pointOfVertex[vertex]];
        std::memcpy(&joints.values[vertex * gpuInfluences], four.joints, sizeof four.joints);
        std::memcpy(&weights.values[vertex * gpuInfluences], four.weights, sizeof four.weights);
    }
    mesh.joints = joints.column;
    mesh.weights = weights.column;
    if (summary.maximum <= gpuInfluences) return true;

    // The full list: the cleaned influences of every point once more, then copied to its vertices.
    std::vector<std::uint32_t> starts(pointCount + 1);
    for (std::size_t point = 0; point < pointCount; ++point) starts[point + 1] = starts[point] + counts[point];
    if (!arena.affords(std::uint64_t{starts.back()} * (sizeof(std::uint16_t) + sizeof(float)))) return false;
    std::vector<std::uint16_t> pointJoints(starts.back());
    std::vector<float> pointWeights(starts.back());
    InfluenceSummary again;
    PointCleaner repeat(again);
    for (std::size_t point = 0; point < pointCount; ++point) {
        std::size_t at = starts[point];
        for (const Influence& influence : repeat.clean(jointsOf(point), weightsOf(point))) {
            pointJoints[at] = static_cast<std::uint16_t>(influence.joint);
            pointWeights[at++] = static_cast<float>(influence.weight);
        }
    }
    std::uint64_t total = 0;
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) total += counts[pointOfVertex.empty() ? vertex : pointOfVertex[vertex]];
    auto offsets = arena.allocate<std::uint32_t>(mesh.block, vertexCount + 1);
    auto allJoints = arena.allocate<std::uint16_t>(mesh.block, total);
    auto allWeights = arena.allocate<float>(mesh.block, total);
    if (!offsets || !allJoints || !allWeights) return false;
    std::size_t at = 0;
    for (std::size_t vertex = 0; vertex < vertexCount; ++vertex) {
        const std::size_t point = pointOfVertex.empty() ? vertex : pointOfVertex[vertex];
        offsets.values[vertex] = static_cast<std::uint32_t>(at);
        std::copy_n(pointJoints.begin() + starts[point], counts[point], allJoints.values.begin() + at);
        std::copy_n(pointWeights.begin() + starts[point], counts[point], allWeights.values.begin() + at);
        at += counts[point];
    }
    offsets.values[vertexCount] = static_cast<std::uint32_t>(at);
    mesh.influenceOffsets = offsets.column;
    mesh.influenceJoints = allJoints.column;
    mesh.influenceWeights = allWeights.column;
    return true;
}

}  // namespace rigcast
