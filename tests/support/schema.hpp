// Generates code and documentation from wasm/scene/scene.def.
#pragma once

#include <string>

namespace rigcast::test {

/// Returns the content of web/src/core/sceneTypes.ts, which has one interface per struct.
std::string sceneTypes();

/// Returns the content of web/src/core/sceneWords.ts, which has the tables of the decoder.
std::string sceneWords();

/// Returns the documentation page about the scene.
std::string scenePage();

}  // namespace rigcast::test
