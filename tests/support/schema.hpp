// What is printed from wasm/scene/scene.def for JavaScript and for people.
#pragma once

#include <string>

namespace rigcast::test {

/// What web/src/core/sceneTypes.ts holds: an interface per struct.
std::string sceneTypes();

/// What web/src/core/sceneWords.ts holds: what the decoder looks up.
std::string sceneWords();

/// What the page about the scene holds.
std::string scenePage();

}  // namespace rigcast::test
