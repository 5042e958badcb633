// Parses the .config file that UE Viewer writes beside a .psa. The file lists tracks that are
// removed from animations (psk-psa.md section 7.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

/// Declares which parts of a track are removed. For removed parts, the bone keeps the rest pose of
/// the model.
struct Removal {
    bool translation = false, rotation = false;
};

struct Config {
    struct Entry {
        std::uint32_t track = 0;  // index of the track in the PSA
        Removal removal;
    };

    std::optional<bool> rotationOnly;  // value of bAnimRotationOnly
    // Lower-case names of bones that are translated even if `rotationOnly` is true.
    StringTable useTranslation;
    StringTable forceTranslation;   // lower-case names of bones with the translation of the mesh
    StringTable sequences;          // lower-case names of sequences with removed tracks
    Vector<Vector<Entry>> removed;  // removed parts of tracks, parallel to `sequences`

    /// Parses bAnimRotationOnly. Returns false if it is neither true nor false.
    bool setRotationOnly(std::string_view value);
    /// Returns true if no line was recognized, so that the file has no effect.
    bool isEmpty() const { return !rotationOnly && useTranslation.empty() && forceTranslation.empty() && removed.empty(); }
    /// Returns the parts of each track that are removed in every sequence. `bones`: lower-case
    /// names of the tracks.
    Vector<Removal> commonRemovals(const Vector<std::string>& bones) const;
    /// Appends to `removals` the parts of tracks that the config removes only in this sequence.
    void addRemovals(std::string_view sequence, Vector<Removal>& removals) const;
};

/// Parses a .config file. Reports CONFIG_LINE for unrecognized lines.
Config parseConfig(Bytes text, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
