// The .config that UE Viewer writes beside a .psa: which tracks a motion shall not move (psk-psa.md section 7.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

/// Which parts of a track stay as the model's rest pose has them.
struct Removal {
    bool translation = false, rotation = false;
};

struct Config {
    struct Entry {
        std::uint32_t track = 0;  // index in the PSA
        Removal removal;
    };

    std::optional<bool> rotationOnly;  // bAnimRotationOnly
    StringTable useTranslation;        // lower-case bone names that keep their translation all the same
    StringTable forceTranslation;      // lower-case bone names whose translation is the mesh's
    StringTable sequences;             // lower-case names of those with removed tracks
    Vector<Vector<Entry>> removed;     // by sequence

    /// Takes the text of bAnimRotationOnly. False if it is neither true nor false.
    bool setRotationOnly(std::string_view value);
    /// Returns true if no line was understood, so that nothing is decided.
    bool isEmpty() const { return !rotationOnly && useTranslation.empty() && forceTranslation.empty() && removed.empty(); }
    /// Returns the parts of each track that no sequence plays. `bones`: lower-case names of the tracks.
    Vector<Removal> commonRemovals(const Vector<std::string>& bones) const;
    /// Adds the tracks removed from one sequence.
    void addRemovals(std::string_view sequence, Vector<Removal>& removals) const;
};

/// Reads the text; CONFIG_LINE for what is not understood.
Config parseConfig(Bytes text, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
