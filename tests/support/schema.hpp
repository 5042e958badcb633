// Prints wasm/scene/scene.def for JavaScript and for documentation.
#pragma once

#include <string>

namespace rigcast::test {

/// Contents of web/src/core/sceneTypes.ts: an interface per struct.
std::string sceneTypes();

/// Contents of web/src/core/sceneWords.ts: tables of the decoder.
std::string sceneWords();

/// Contents of the page about the scene.
std::string scenePage();

}  // namespace rigcast::test
