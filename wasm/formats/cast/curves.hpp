// Curves by the thousand, in which nothing is to be repaired, one behind the other: what files of many small nodes consist of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/source.hpp"
#include "core/vector.hpp"
#include "formats/cast/document.hpp"
#include "formats/cast/index.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// What a curve of that name (`kp`) drives.
struct CastCurveRule {
    CastName name;
    Path path;
    std::uint8_t component;
};
/// Of the curves that are played as they are.
inline constexpr CastCurveRule castCurveRules[] = {
    {"rq", Path::rotation, allComponents},
    {"tx", Path::translation, 0},
    {"ty", Path::translation, 1},
    {"tz", Path::translation, 2},
    {"sx", Path::scale, 0},
    {"sy", Path::scale, 1},
    {"sz", Path::scale, 2},
    {"bs", Path::weight, allComponents},
    {"vb", Path::visible, allComponents},
};
/// nullptr where there is none.
const CastCurveRule* castCurveRule(CastName kind);
/// Whether it is one of "absolute", "relative" and "additive".
bool castModeOf(std::string_view text, Mode& mode);

/// What a curve consists of, found in one walk over its properties.
struct CastCurve {
    static constexpr CastName names[] = {"nn", "kp", "kb", "kv", "m", "ab"};
    CastProperty found[std::size(names)];
    CastProperty &target = found[0], &kind = found[1], &frames = found[2], &values = found[3], &mode = found[4], &weight = found[5];
    std::uint64_t valuesAt = 0;  // in the file
};

/// Goes from curve to curve in a file that lies in memory, or comes through a window.
class CastCurveWalk {
public:
    CastCurveWalk(Bytes file, Source* source, std::size_t position) : file_(file), source_(source), position_(position) {}

    /// Where the next one begins.
    std::size_t position() const { return position_; }

    void seek(std::size_t position) { position_ = position; }

    /// Passes over short curves that end before `end`, by what they say of their sizes: how many there are, up to `most`.
    std::uint32_t pass(std::size_t end, std::uint32_t most);
    /// Reads the next one: what it has is there until the one after it is read. False, and nothing has been passed, where its properties are not those of a short curve, each once, of
    /// the types that they should have, with texts in ASCII.
    bool next(std::size_t end, CastCurve& curve);

private:
    const std::uint8_t* reach(std::size_t count);
    const std::uint8_t* header(std::size_t end);

    Bytes file_;
    Source* source_;
    std::size_t position_;
    Vector<std::uint8_t> window_;
    std::size_t windowStart_ = 0, windowEnd_ = 0;
    std::size_t windowSize_ = castFarSize;  // in which a short curve fits; doubled as it goes on
};

/// So many that follow each other are worth a run.
inline constexpr std::uint32_t fewestCastCurves = isUnderSanitizer ? 2 : 8;

/// Whether a node is one of those that curves are not checked against.
constexpr bool isBesideCurves(std::uint32_t id) {
    using namespace castIds;
    return id == curve || id == animation || id == root || id == metadata || id == notification || id == modeOverride;
}

/// Whether there is nothing to tell about a curve, whatever else is in its file but bones and meshes.
bool isPlainCurve(const CastCurve& curve);

}  // namespace rigcast
