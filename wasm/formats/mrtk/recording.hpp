// Converts a recording to a scene: camera, gaze and two hands with WebXR joint names, right-handed
// and Y up.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/mrtk/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

struct RecordingOptions {
    // False: interpolates as Unity does, which results in wrong rotations between keys with
    // different signs.
    bool alignSigns = true;
    bool rebuildW = true;  // false: uses w of damaged recordings as stored
};

/// Reports irregular flags, missing markers, trailing bytes and marker names.
void checkDocument(const MrtkDocument& document, Diagnostics& diagnostics);

/// Adds the nodes, clip, camera and features of a recording to the scene. Returns false if the
/// budget is exceeded.
bool buildRecording(const MrtkDocument& document, const RecordingOptions& options, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast
