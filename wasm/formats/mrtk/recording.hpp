// From curves to a scene: camera, gaze and two hands with WebXR joint names in right-handed, Y-up space.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/mrtk/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

struct RecordingOptions {
    bool alignSigns = true;  // q and -q are one rotation: off plays what Unity plays, nonsense between flips included
    bool rebuildW = true;    // off keeps the w that the damaged recorder left
};

/// Findings about the file as such: flags, missing markers, trailing bytes, marker names.
void checkDocument(const MrtkDocument& document, Diagnostics& diagnostics);

/// Nodes, one clip, camera, features. False when the arena's budget is spent.
bool buildRecording(const MrtkDocument& document, const RecordingOptions& options, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast
