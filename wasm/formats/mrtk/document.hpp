// What a recording says, in its own terms: curves in the order of the file, keys as spans into the input, raw modes and flags.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/diagnostics.hpp"
#include "core/reader.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// `Int32 preWrap | Int32 postWrap | Int32 keyCount | keys`. Keys are full (28 bytes) or simple (time, value).
struct MrtkCurve {
    std::uint64_t offset = 0;
    std::int32_t preWrap = 8, postWrap = 8;
    Records keys;

    float time(std::size_t key) const { return keys.get<float>(key, 0); }
    float value(std::size_t key) const { return keys.get<float>(key, 4); }
};

struct MrtkMarker {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    float time = 0;
    Bytes name;                    // as stored, without its length
    std::uint8_t lengthBytes = 1;  // of the varint: one more than needed is legal
};

/// How the bytes are laid out. The default is what the toolkit writes; the others are damaged or foreign (section 12).
struct MrtkLayout {
    bool longKeys = false;   // 28-byte float keys under a 1.1 header
    bool wideFlags = false;  // flags as Int32
    int joints = 27;         // 26: a writer that left out None
};

struct MrtkDocument {
    std::int32_t major = 1, minor = 1;
    std::array<std::uint8_t, 3> flagBytes{1, 1, 1};  // 1.1: camera, hands, gaze as stored; 1.0: 1, 1, 0
    bool camera = false, hands = false, gaze = false;
    MrtkLayout layout;
    Vector<MrtkCurve> curves;  // file order; fewer than curveTotal() where the file is cut
    Vector<MrtkMarker> markers;
    bool hasMarkerList = false;
    std::uint64_t markersOffset = 0;
    Bytes trailing;
    bool complete = false;
    std::uint64_t end = 0;  // where reading stopped

    /// 1.0 and what the toolkit reads as such: no flags, and keys with tangents. (Newer versions than 1.1 are not read.)
    bool isFirst() const { return major < 1 || minor < 1; }
    bool fullKeys() const { return isFirst() || layout.longKeys; }
    std::size_t cameraStart() const { return 0; }
    std::size_t stateStart() const { return camera ? 7 : 0; }
    /// Curves of a hand's joint: seven from here on.
    std::size_t jointStart(int hand, int joint) const {
        return stateStart() + 4 + static_cast<std::size_t>(hand * layout.joints + joint) * 7;
    }
    std::size_t gazeStart() const { return stateStart() + (hands ? 4 + 14 * static_cast<std::size_t>(layout.joints) : 0); }
    std::size_t curveTotal() const { return gazeStart() + (gaze ? 6 : 0); }
    bool isBoolean(std::size_t curve) const { return hands && curve >= stateStart() && curve < stateStart() + 4; }
    /// As the corpus names them: camera.px, left.tracked, right.IndexTip.rw, gaze.dx.
    std::string curveName(std::size_t curve) const;
    /// The curve, or an empty one where the file is cut before it.
    MrtkCurve curve(std::size_t index) const;
};

inline constexpr std::uint64_t mrtkMagic = 0x6A8FAF6E0F9E42C6;

/// Reads by the layout that the header names; where that fails, finds the damaged or foreign layout that would consume the file exactly, and
/// reads by it if `guessLayout`. False: there is nothing to show.
bool readMrtk(Bytes bytes, bool guessLayout, bool oldVersions, MrtkDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
