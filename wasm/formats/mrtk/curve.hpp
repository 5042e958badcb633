// Curves as they are played: sorted, finite, Unity's AnimationCurve semantics (mrtk-input-animation.md section 6). Double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/mrtk/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// `time` ascending (equal: a jump). `kind[i]` is the segment after key i: step, linear, hermite or bezier.
struct PlayCurve {
    std::vector<double> time, value, inSlope, outSlope;
    std::vector<float> inWeight, outWeight;
    std::vector<Interpolation> kind;
    Extrapolation before = Extrapolation::hold, after = Extrapolation::hold;

    bool empty() const { return time.empty(); }
    std::size_t size() const { return time.size(); }
    /// Straight lines between keys, held outside: what recorders write.
    bool isPolyline() const;
    void negate();
};

/// Reports what is odd about the raw curve under `name` and makes it playable.
PlayCurve playable(const MrtkDocument& document, std::size_t curve, Diagnostics& diagnostics);

/// The value at `t`, 0 for an empty curve. `leftLimit`: where two keys share the time t, the value before the jump.
double evaluate(const PlayCurve& curve, double t, bool leftLimit = false);

/// Key times of several curves merged; a time at which some curve jumps occurs twice.
std::vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves);

}  // namespace rigcast
