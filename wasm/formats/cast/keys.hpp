// Converts the keys of curves: pairs frames with values, sorts the pairs, and writes columns.
#pragma once

#include <type_traits>

#include "core/vector.hpp"
#include "formats/cast/curves.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

/// Values in the file that are copied into a column without conversion.
struct CastRun {
    std::uint64_t offset;  // offset in the file, in bytes
    std::uint32_t count;   // number of floats
    std::uint32_t at;      // index of the first float in the column
};

static_assert(std::has_unique_object_representations_v<
              CastRun>);  // JavaScript stores it as bytes in decode parameters, so it must not contain padding

/// Decodes the column that `CastKeys::finish` deferred. `parameters`: an array of CastRun.
void decodeCastValues(Source& source, Bytes parameters, std::span<float> to);

/// Converts curves one at a time. The functions declared after `read` refer to the curve that
/// `read` has read most recently.
class CastKeys {
public:
    explicit CastKeys(CastContext& context) : context_(context) {}

    /// Starts a new clip.
    void begin(std::uint32_t block, double frameRate);

    /// Returns true if values of this type can animate `path`. Reports values of unexpected types.
    bool accepts(std::uint32_t node, const CastProperty& values, Path path);
    /// Reads the next curve: pairs frames with values and sorts the pairs. If several keys have the
    /// same frame, keeps the last one. Returns false and reports a finding if the curve is empty.
    bool read(std::uint32_t node, const CastProperty& frames, const CastProperty& values);

    std::uint32_t size() const { return count_; }
    /// Returns the position in the file of the key that is at position `key` after sorting.
    std::uint32_t sourceOf(std::size_t key) const { return order_.empty() ? static_cast<std::uint32_t>(key) : order_[key]; }
    double frameOf(std::size_t key) const { return stored(sourceOf(key)); }
    float timeOf(double frame) const { return static_cast<float>(frame / frameRate_); }

    /// Sets `times` to a column that curves with equal frames share. Returns false if the budget is
    /// exceeded.
    bool setTimes(Column<float>& times);
    /// Sets the values of `track`, the next track of the clip. Values that need no conversion are
    /// written later by `finish`. Returns false if the budget is exceeded.
    bool setValues(std::uint32_t node, const CastCurve& curve, Clip& clip, Track& track);
    /// Writes the values that `setValues` left to this function, as one column. If the file is not
    /// in the heap, the values are read when they are first needed.
    void finish(Clip& clip);

    /// Extends the range of the clip to include these frames.
    void extendRange(double first, double last);
    double firstFrame() const { return firstFrame_; }
    double lastFrame() const { return lastFrame_; }
    /// Number of curves whose frames are not integers.
    std::uint32_t floatCurves() const { return floatCurves_; }

    static constexpr double noFrame = 4294967295.0;

private:
    struct Recent {
        CastType type;
        Vector<std::uint8_t> frames;
        Column<float> times;
    };

    struct Placed {
        std::uint32_t track;
        bool isNear;
    };

    double stored(std::uint32_t i) const { return frames_.unrounded(i); }
    bool putInOrder(std::uint32_t node, std::uint64_t misplaced);
    Bytes frameBytes() const;
    const Column<float>* recentTimes() const;
    bool areSound(const CastProperty& values, Path path);
    void copyRotations(std::uint32_t node, const std::uint8_t* from, std::span<float> to);
    void copyNumbers(std::uint32_t node, const CastProperty& values, bool isFlag, std::span<float> to);

    CastContext& context_;
    std::uint32_t block_ = 0;
    double frameRate_ = 30, firstFrame_ = noFrame, lastFrame_ = 0;
    std::uint32_t floatCurves_ = 0;
    Vector<Recent> recent_;  // times of recent curves, which the next curves often share
    Vector<CastRun> runs_;   // postponed values of the clip
    Vector<Placed> placed_;  // the track to which each run belongs
    Vector<float> near_;     // copies of values from windows that have been replaced
    // The members below describe the current curve.
    CastIntegers frames_;
    std::uint32_t count_ = 0;
    Vector<std::uint32_t> order_;           // indices of the sorted keys; empty: order of the file
    const Column<float>* known_ = nullptr;  // times of a recent curve with the same frames, or nullptr
};

}  // namespace rigcast
