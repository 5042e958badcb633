// The .config of UE Viewer beside a .psa: tracks that an animation must not change (psk-psa.md
// section 7.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

/// Parts of a track that keep the model's rest pose.
struct Removal {
    bool translation = false, rotation = false;
};

struct Config {
    struct Entry {
        std::uint32_t track = 0;  // index in the PSA
        Removal removal;
    };

    std::optional<bool> rotationOnly;  // bAnimRotationOnly
    // lower-case names of bones that keep their translation despite rotationOnly
    StringTable useTranslation;
    StringTable forceTranslation;   // lower-case names of bones with the translation of the mesh
    StringTable sequences;          // lower-case names of sequences with removed tracks
    Vector<Vector<Entry>> removed;  // by sequence

    /// Parses bAnimRotationOnly. Returns false if it is neither true nor false.
    bool setRotationOnly(std::string_view value);
    /// Returns true if no line was recognized, so that the file has no effect.
    bool isEmpty() const { return !rotationOnly && useTranslation.empty() && forceTranslation.empty() && removed.empty(); }
    /// Returns the removed parts of each track that apply to all sequences. `bones` are the
    /// lower-case names of the tracks.
    Vector<Removal> commonRemovals(const Vector<std::string>& bones) const;
    /// Adds the parts removed from one sequence.
    void addRemovals(std::string_view sequence, Vector<Removal>& removals) const;
};

/// Parses the text. Reports CONFIG_LINE for lines that are not recognized.
Config parseConfig(Bytes text, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
