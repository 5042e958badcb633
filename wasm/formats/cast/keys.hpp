// Keys of curves: pairs frames with values, sorts them, and writes columns.
#pragma once

#include <type_traits>

#include "core/vector.hpp"
#include "formats/cast/curves.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

/// Values that become a part of a column without conversion.
struct CastRun {
    std::uint64_t offset;  // offset in the file
    std::uint32_t count;   // floats
    std::uint32_t at;      // position in the column
};

static_assert(std::has_unique_object_representations_v<
              CastRun>);  // decode parameters pass through JavaScript as bytes, so it must not contain padding

/// Decodes the column that `CastKeys::finish` deferred. The parameters is a list of runs.
void decodeCastValues(Source& source, Bytes parameters, std::span<float> to);

/// Reads one curve after the other. `read` selects a curve; the functions below it refer to that
/// curve.
class CastKeys {
public:
    explicit CastKeys(CastContext& context) : context_(context) {}

    /// Starts a new clip.
    void begin(std::uint32_t block, double frameRate);

    /// Returns true if the type of the values can animate `path`. Reports unexpected types.
    bool accepts(std::uint32_t node, const CastProperty& values, Path path);
    /// Pairs frames with values and sorts them. If a frame occurs several times, its last key wins.
    /// Returns false, with a finding, for an empty curve.
    bool read(std::uint32_t node, const CastProperty& frames, const CastProperty& values);

    std::uint32_t size() const { return count_; }
    /// Index of the key in the file.
    std::uint32_t sourceOf(std::size_t key) const { return order_.empty() ? static_cast<std::uint32_t>(key) : order_[key]; }
    double frameOf(std::size_t key) const { return stored(sourceOf(key)); }
    float timeOf(double frame) const { return static_cast<float>(frame / frameRate_); }

    /// Writes or shares the column of times. Returns false if the budget is exceeded.
    bool setTimes(Column<float>& times);
    /// Sets the values of the clip's next track. Values that need no conversion are written by
    /// `finish`. Returns false if the budget is exceeded.
    bool setValues(std::uint32_t node, const CastCurve& curve, Clip& clip, Track& track);
    /// Writes the values that `setValues` postponed as one column, which is deferred if the file is
    /// outside the heap.
    void finish(Clip& clip);

    /// Extends the range of the clip.
    void reach(double first, double last);
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
    Vector<Recent> recent_;  // curves of a clip often share frames
    Vector<CastRun> runs_;   // of the clip, without damage
    Vector<Placed> placed_;  // by run
    Vector<float> near_;     // values from a window that is no longer in memory
    // State of the current curve.
    CastIntegers frames_;
    std::uint32_t count_ = 0;
    Vector<std::uint32_t> order_;           // empty: order of the file
    const Column<float>* known_ = nullptr;  // times, if a recent curve has the same
};

}  // namespace rigcast
