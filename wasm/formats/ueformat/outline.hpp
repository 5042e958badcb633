// The outline of UEFormat files: a node for the header, each part and each level of detail.
#pragma once

#include "core/outline.hpp"
#include "formats/ueformat/parts.hpp"

namespace rigcast::ueformat {

void outlineHeader(const Document& document, Outline& outline);
/// Adds a field with `count` elements to a node. The elements of a compressed file are copied.
void addField(const Document& document, const char* name, const char* type, Bytes elements, std::uint64_t offset, std::uint64_t count,
              OutlineNode& node);
/// Adds nodes for parts without parts of their own.
void outlineParts(const Document& document, const Vector<Part>& parts, Vector<OutlineNode>& nodes);
void outlineModel(const Document& document, const ModelParts& model, Outline& outline);

}  // namespace rigcast::ueformat
