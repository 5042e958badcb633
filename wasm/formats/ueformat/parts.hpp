// The parts of a .uemodel file by their place: levels of detail, skeleton and collision
// (docs/formats/ueformat.md section 3.1).
#pragma once

#include "formats/ueformat/document.hpp"

namespace rigcast::ueformat {

/// A level of detail with its mesh parts.
struct Lod {
    std::string name;
    std::string path;
    std::uint64_t offset = 0, size = 0;  // including the name
    Vector<Part> parts;
};

struct ModelParts {
    Vector<Part> root;
    Vector<Lod> lods;
    Vector<Part> skeleton;
};

/// Reads the parts of a model. Before version 4, all parts are at the root: the mesh is then the
/// only level of detail, and `lods` and `skeleton` contain copies of the root's parts.
ModelParts readModelParts(const Document& document, Diagnostics& diagnostics);

}  // namespace rigcast::ueformat
