// Converts a .ueanim file to a clip (docs/formats/ueformat.md section 4).
#pragma once

#include "core/outline.hpp"
#include "formats/ueformat/document.hpp"
#include "scene/scene.hpp"

namespace rigcast::ueformat {

/// Declared values of an animation: in front of the chunks before version 7, in METADATA from then
/// on.
struct AnimHead {
    std::uint64_t offset = 0;
    std::string_view path;  // of the declaration, for findings
    bool isPresent = false;
    std::int32_t frames = 0;
    float rate = 0;
    std::string_view refPosePath;
    std::uint8_t additiveType = 0, refPoseType = 0;
    std::int32_t refFrame = 0;
};

struct AnimParts {
    AnimHead head;
    Vector<Part> root;
};

AnimParts readAnimParts(const Document& document, Diagnostics& diagnostics);

/// Adds a clip to a scene that contains only nodes[0].
void addAnimation(const Document& document, const AnimParts& parts, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Adds a node for each part, with a node for each track and curve.
void outlineAnimation(const Document& document, const AnimParts& parts, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast::ueformat
