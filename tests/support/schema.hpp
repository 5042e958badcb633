// Prints wasm/scene/scene.def for JavaScript and for documentation.
#pragma once

#include <string>

namespace rigcast::test {

/// Returns web/src/core/sceneTypes.ts: an interface per struct.
std::string sceneTypes();

/// Returns web/src/core/sceneWords.ts: tables of the decoder.
std::string sceneWords();

/// Returns the documentation page about the scene.
std::string scenePage();

}  // namespace rigcast::test
