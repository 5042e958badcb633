#include "formats/unreal/pskWeights.hpp"

#include <algorithm>
#include <cmath>

#include "formats/unreal/records.hpp"
#include "formats/unreal/skeleton.hpp"
#include "formats/unreal/tally.hpp"
#include "scene/fourInfluences.hpp"

namespace rigcast::unreal {

namespace {

/// Groups influences by point. Reports invalid influences.
[[gnu::cold]] PointInfluences sortInfluences(const Psk& psk, std::size_t bones, Diagnostics& diagnostics) {
    const Records& records = psk.influences;
    const std::size_t points = psk.points.size();
    PointInfluences result;
    result.offsets.resize(points + 1);
    Tally nonFinite, badPoint, badBone, negative;
    const auto read = [&](std::size_t i, bool report, std::uint32_t& point, std::uint32_t& bone, float& weight) {
        weight = records.get<float>(i, influenceField::weight);
        // Reads the index as unsigned, so that negative indices are out of range too.
        point = records.get<std::uint32_t>(i, influenceField::point);
        bone = records.get<std::uint32_t>(i, influenceField::bone);
        const bool isFine = point < points && bone < bones && weight > 0 && std::isfinite(weight);
        if (!isFine && report) {
            if (point >= points)
                badPoint.add(i);
            else if (bone >= bones)
                badBone.add(i);
            else if (!std::isfinite(weight))
                nonFinite.add(i);
            else if (weight < 0)
                negative.add(i);
        }
        return isFine;
    };
    std::uint32_t point, bone;
    float weight;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (read(i, true, point, bone, weight)) ++result.offsets[point + 1];
    for (std::size_t i = 0; i < points; ++i) result.offsets[i + 1] += result.offsets[i];
    result.joints.resize(result.offsets[points]);
    result.weights.resize(result.offsets[points]);
    Vector<std::uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (!read(i, false, point, bone, weight)) continue;
        const std::uint32_t at = next[point]++;
        result.joints[at] = bone;
        result.weights[at] = weight;
    }
    nonFinite.report(diagnostics, Code::NON_FINITE, records, "RAWWEIGHTS", "influence");
    badPoint.report(diagnostics, Code::INFLUENCE_POINT_RANGE, records, "RAWWEIGHTS", "influence");
    badBone.report(diagnostics, Code::INFLUENCE_BONE_RANGE, records, "RAWWEIGHTS", "influence");
    negative.report(diagnostics, Code::INFLUENCE_SUM, records, "RAWWEIGHTS", "negative: influence");
    return result;
}

}  // namespace

InfluenceStream::InfluenceStream(const Psk& psk, const Windows& windows)
    : all_(psk.influences), windows_(windows), bones_(static_cast<std::uint32_t>(std::min(psk.bones.size(), boneLimit))) {}

[[gnu::noinline, gnu::cold]] void InfluenceStream::moveWindow() {
    const std::size_t count = std::min(windows_.source ? 2 * windowRecords : all_.size(), all_.size() - next_);
    window_ = windows_.part(all_, next_, count, buffer_);
    records_ = {{}, window_.bytes(0, influenceField::bone, 4).data(), window_.bytes(0, influenceField::weight, 4).data(), window_.stride()};
    windowFirst_ = next_;
    windowEnd_ = next_ + count;
}

bool InfluenceStream::readFew(std::uint32_t point, std::uint16_t* joints, float* weights) {
    const std::size_t first = next_ - windowFirst_, left = windowEnd_ - next_;
    const auto pointOf = [&](std::size_t i) { return window_.get<std::uint32_t>(first + i, influenceField::point); };
    std::size_t count = 0;
    while (count < 5 && count < left && pointOf(count) == point) ++count;
    if (count == 0 || count > 4) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (records_.joint(first + i) >= bones_) return false;
    double sum = 0;
    if (!writeFew(records_, first, count, sum, joints, weights)) return false;
    next_ += count;
    summary_.maximum = std::max(summary_.maximum, static_cast<std::uint32_t>(count));
    summary_.notNormalized += std::fabs(sum - 1) > 1e-3;
    return true;
}

[[gnu::cold]] bool repairInfluences(const Psk& psk, std::span<const std::uint32_t> pointOfVertex, Mesh& mesh, Arena& arena,
                                    InfluenceSummary& summary, Diagnostics& diagnostics) {
    const std::size_t bones = std::min(psk.bones.size(), boneLimit);
    summary = {};
    if (!Budget::affords(psk.influences.size() * 8 + psk.points.size() * 12 + 4)) return false;
    return setInfluences(arena, mesh, bones, sortInfluences(psk, bones, diagnostics), pointOfVertex, summary);
}

[[gnu::cold]] void reportInfluences(const Psk& psk, const InfluenceSummary& summary, Diagnostics& diagnostics) {
    const Records& records = psk.influences;
    const Location location{.offset = records.empty() ? psk.bones.offsetOf(0) : records.offsetOf(0), .path = "RAWWEIGHTS"};
    if (summary.notNormalized) diagnostics.add(Code::INFLUENCE_SUM, location, {"{} points", {summary.notNormalized}});
    // Uses the severity info for rigid objects, which exporters write with one bone and no weights.
    const Severity missing = psk.bones.size() > 1 || !records.empty() ? Severity::warning : Severity::info;
    if (summary.unweighted) diagnostics.add(Code::INFLUENCE_MISSING, missing, location, {"{} points", {summary.unweighted}});
    if (summary.duplicates) diagnostics.add(Code::INFLUENCE_DUPLICATE, Severity::info, location, {"{} points", {summary.duplicates}});
    if (summary.isFullListCut)
        diagnostics.add(Code::WORK_LIMIT, location,
                        {"{} influences of a point, for each of its vertices: all but the four strongest", {summary.maximum}});
}

}  // namespace rigcast::unreal
