// Converts influences of points to influences of vertices.
#pragma once

#include <cstdint>
#include <span>

#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/records.hpp"
#include "scene/fourInfluences.hpp"
#include "scene/lower.hpp"

namespace rigcast::unreal {

/// Reads influences point by point, in file order. Works for most files: influences are sorted by
/// point, and each point has one to four valid influences of different bones.
class InfluenceStream {
public:
    InfluenceStream(const Psk& psk, const Windows& windows);

    /// Writes the four influences of the next point as `setInfluences` would. Returns false if they
    /// need repairs, or if the previous point has a fifth influence.
    bool read(std::uint32_t point, std::uint16_t* joints, float* weights) {
        if (next_ + 4 > windowEnd_ && windowEnd_ < all_.size()) moveWindow();
        return readFour(point, joints, weights) || readFew(point, joints, weights);
    }
    bool isAtEnd() const { return next_ == all_.size(); }
    const InfluenceSummary& summary() const { return summary_; }

private:
    void moveWindow();
    bool readFour(std::uint32_t point, std::uint16_t* joints, float* weights) {
        const std::size_t first = next_ - windowFirst_, left = windowEnd_ - next_;
        if (left < 4) return false;
        const auto differs = [&](std::size_t i) { return window_.get<std::uint32_t>(first + i, influenceField::point) ^ point; };
        if (differs(0) | differs(1) | differs(2) | differs(3)) return false;
        if (!writeSortedFour(records_, first, bones_, joints, weights)) return false;
        next_ += 4;
        summary_.maximum = 4;
        return true;
    }
    bool readFew(std::uint32_t point, std::uint16_t* joints, float* weights);

    const Records& all_;
    const Windows& windows_;
    std::uint32_t bones_;
    std::size_t next_ = 0;
    std::size_t windowFirst_ = 0, windowEnd_ = 0;
    Records window_;
    InfluenceRecords records_;  // records of the window
    Vector<std::uint8_t> buffer_;
    InfluenceSummary summary_;
};

/// Sorts, repairs and writes the influences of `mesh`, for files that `InfluenceStream` cannot
/// read. The file must be in the heap. `pointOfVertex`: point index of each vertex, as for
/// `setInfluences`. Returns false if the budget is exceeded.
bool repairInfluences(const Psk& psk, std::span<const std::uint32_t> pointOfVertex, Mesh& mesh, Arena& arena, InfluenceSummary& summary,
                      Diagnostics& diagnostics);

void reportInfluences(const Psk& psk, const InfluenceSummary& summary, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
