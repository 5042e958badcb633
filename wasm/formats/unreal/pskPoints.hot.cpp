#include "formats/unreal/pskPoints.hpp"

#include <algorithm>
#include <cmath>

#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

Points::Points(const Psk& psk, float scale, const Windows& windows, std::span<const std::uint32_t> pointOfVertex)
    : psk_(psk), scale_(scale), windows_(windows), pointOfVertex_(pointOfVertex) {
    std::uint32_t highest = 0;
    for (std::size_t first = 0; first < pointOfVertex.size(); first += windowRecords) {
        std::uint32_t lowest = none;
        for (const std::uint32_t point : pointOfVertex.subspan(first, std::min(windowRecords, pointOfVertex.size() - first))) {
            lowest = std::min(lowest, point);
            highest = std::max(highest, point);
        }
        lookBack_ = std::max<std::size_t>(lookBack_, highest + 1 - lowest);
    }
    std::size_t size = 1;
    while (size < lookBack_) size *= 2;
    const bool isRing = size < psk.points.size();
    mask_ = isRing ? size - 1 : SIZE_MAX;
    if (!isRing) size = psk.points.size();
    if (Budget::affords(size * sizeof(Point))) ring_.resize(size);
}

bool Points::advance() {
    if (visited_ == pointOfVertex_.size()) return false;
    window_ = pointOfVertex_.subspan(visited_, std::min(windowRecords, pointOfVertex_.size() - visited_));
    visited_ += window_.size();
    const std::size_t end = std::size_t{*std::max_element(window_.begin(), window_.end())} + 1;
    while (converted_ < end) {
        Patch patch{.first = converted_, .count = std::min(windowRecords, end - converted_)};
        convert(patch);
        add(patch);
        converted_ += patch.count;
    }
    return true;
}

[[gnu::noinline]] void Points::convert(Patch& patch) {
    const Records points = windows_.part(psk_.points, patch.first, patch.count, pointBuffer_);
    const bool hasNormals = psk_.normals.size() == psk_.points.size();
    const Records normals = hasNormals ? windows_.part(psk_.normals, patch.first, patch.count, normalBuffer_) : Records{};
    const float scale = scale_;
    FourFloats low = patch.low, high = patch.high;
    bool areFinite = true, haveNormals = true, withInfluences = influences_ && haveInfluences_;
    for (std::size_t i = 0; i < points.size(); ++i) {
        Point& to = ring_[(patch.first + i) & mask_];
        areFinite &= writePoint(points, i, 0, scale, to.position);
        const FourFloats position = {to.position[0], to.position[1], to.position[2], 0};
        low = position < low ? position : low;
        high = position > high ? position : high;
        if (hasNormals) haveNormals &= writeDirection(normals, i, to.normal);
        if (!withInfluences) continue;
        withInfluences = influences_->read(static_cast<std::uint32_t>(patch.first + i), to.joints, to.weights);
        if (!boxes_) continue;
        const float x = to.position[0], y = to.position[1], z = to.position[2];
        const FourFloats moved[3] = {{x, x, x, x}, {y, y, y, y}, {z, z, z, z}};
        for (std::size_t k = 0; withInfluences && k < 4 && to.weights[k] > 0; ++k) boxes_->include(to.joints[k], moved);
    }
    if (influences_) haveInfluences_ = withInfluences;
    patch.low = low;
    patch.high = high;
    areFinite_ &= areFinite;
    haveNormals_ &= haveNormals;
    if (patch.first == 0)
        for (int k = 0; k < 3; ++k) first_[k] = low[k];
    for (int k = 0; k < 3; ++k) areFlat_ &= low[k] == first_[k] && high[k] == first_[k];
}

double Points::farthestIn(const Patch& patch, const Vec3& center) {
    const Records points = windows_.part(psk_.points, patch.first, patch.count, pointBuffer_);
    double squared = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        float position[3];
        writePoint(points, i, 0, scale_, position);
        const Vec3 out = Vec3{position[0], position[1], position[2]} - center;
        squared = std::max(squared, dot(out, out));
    }
    return squared;
}

}  // namespace rigcast::unreal
