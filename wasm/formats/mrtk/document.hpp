// The content of a recording as stored: curves in file order. Keys, modes and flags are views of
// the file's bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/diagnostics.hpp"
#include "core/reader.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// A curve: `Int32 preWrap | Int32 postWrap | Int32 keyCount | keys`. Keys are full (28 bytes) or
/// simple (time and value).
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
    std::uint8_t lengthBytes = 1;  // size of the varint in bytes; one byte more than necessary is valid
};

/// Byte layout of a recording. The default is the layout that the toolkit writes. Damaged files and
/// files of other writers have other layouts (section 12).
struct MrtkLayout {
    bool longKeys = false;   // keys have 28 bytes although the header declares version 1.1
    bool wideFlags = false;  // flags are Int32
    int joints = 27;         // number of joints; 26 if the writer omits the joint None
};

struct MrtkDocument {
    std::int32_t major = 1, minor = 1;
    // Flags of camera, hands and gaze, as stored in version 1.1. In version 1.0, they are 1, 1, 0.
    std::array<std::uint8_t, 3> flagBytes{1, 1, 1};
    bool camera = false, hands = false, gaze = false;
    MrtkLayout layout;
    Vector<MrtkCurve> curves;  // in file order; fewer than `curveTotal` if the file is truncated
    Vector<MrtkMarker> markers;
    bool hasMarkerList = false;
    std::uint64_t markersOffset = 0;
    Bytes trailing;
    bool complete = false;
    std::uint64_t end = 0;  // offset at which reading stopped

    /// Returns true for version 1.0 and all versions that the toolkit reads in the same way:
    /// without flags, and with tangents in keys. (Versions above 1.1 are not supported.)
    bool isFirst() const { return major < 1 || minor < 1; }
    bool fullKeys() const { return isFirst() || layout.longKeys; }
    std::size_t cameraStart() const { return 0; }
    std::size_t stateStart() const { return camera ? 7 : 0; }
    /// Returns the index of the first of the seven curves of a joint.
    std::size_t jointStart(int hand, int joint) const {
        return stateStart() + 4 + static_cast<std::size_t>(hand * layout.joints + joint) * 7;
    }
    std::size_t gazeStart() const { return stateStart() + (hands ? 4 + 14 * static_cast<std::size_t>(layout.joints) : 0); }
    std::size_t curveTotal() const { return gazeStart() + (gaze ? 6 : 0); }
    bool isBoolean(std::size_t curve) const { return hands && curve >= stateStart() && curve < stateStart() + 4; }
    /// Returns the name of a curve, such as camera.px, left.tracked, right.IndexTip.rw or gaze.dx.
    std::string curveName(std::size_t curve) const;
    /// Returns a curve, or an empty curve if the file is truncated before it.
    MrtkCurve curve(std::size_t index) const;
};

inline constexpr std::uint64_t mrtkMagic = 0x6A8FAF6E0F9E42C6;

/// Reads a recording with the layout that its header declares. If this fails, searches for a
/// damaged layout with which reading ends exactly at the end of the file, and uses it if
/// `guessLayout` is true. Returns false if the file contains nothing to show.
bool readMrtk(Bytes bytes, bool guessLayout, bool oldVersions, MrtkDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
