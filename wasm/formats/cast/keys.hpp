// The keys of curves: how frames and values pair up, in which order they are played, and the columns that they become.
#pragma once

#include <type_traits>

#include "core/vector.hpp"
#include "formats/cast/curves.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

/// Values that become a part of a column as they lie in the file.
struct CastRun {
    std::uint64_t offset;  // in the file
    std::uint32_t count;   // floats
    std::uint32_t at;      // in the column
};

static_assert(std::has_unique_object_representations_v<CastRun>);  // recipes travel through JavaScript as bytes, without padding

/// Writes the columns that `CastKeys::finish` left for later; the recipe is a list of runs.
void makeCastValues(Source& source, Bytes recipe, std::span<float> to);

/// Reads one curve after the other. `read` takes the frames of the next one; what follows is about that one.
class CastKeys {
public:
    explicit CastKeys(CastContext& context) : context_(context) {}

    /// For the curves of the next clip.
    void begin(std::uint32_t block, double frameRate);

    /// Whether values of such a type can drive `path`, with a finding where they are of another type than they should be.
    bool accepts(std::uint32_t node, const CastProperty& values, Path path);
    /// Pairs frames with values and puts them in order; of one frame's keys the last counts. False, with a finding, for an empty curve.
    bool read(std::uint32_t node, const CastProperty& frames, const CastProperty& values);

    std::uint32_t size() const { return count_; }
    /// Where the key stands in the file.
    std::uint32_t sourceOf(std::size_t key) const { return order_.empty() ? static_cast<std::uint32_t>(key) : order_[key]; }
    double frameOf(std::size_t key) const { return stored(sourceOf(key)); }
    float timeOf(double frame) const { return static_cast<float>(frame / frameRate_); }

    /// Columns in the clip's block. False where the budget is spent.
    bool setTimes(Column<float>& times);
    /// For the next of the clip's tracks: values that are sound as they lie in the file wait for `finish`.
    bool setValues(std::uint32_t node, const CastCurve& curve, Clip& clip, Track& track);
    /// Values that `setValues` left: one column for all of them, to be made when somebody wants it where the file is one that stays outside.
    void finish(Clip& clip);

    /// Takes frames into the clip's range.
    void reach(double first, double last);
    double firstFrame() const { return firstFrame_; }
    double lastFrame() const { return lastFrame_; }
    /// Curves whose frames are no integers.
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
    Vector<Recent> recent_;  // curves of a clip often share their frames
    Vector<CastRun> runs_;   // of the clip, sound
    Vector<Placed> placed_;  // by run
    Vector<float> near_;     // values that are in memory no longer
    // of the curve at hand
    CastIntegers frames_;
    std::uint32_t count_ = 0;
    Vector<std::uint32_t> order_;           // empty: as stored
    const Column<float>* known_ = nullptr;  // the times, where an earlier curve had the same
};

}  // namespace rigcast
