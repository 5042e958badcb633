#include "formats/ueformat/outline.hpp"

#include "core/budget.hpp"
#include "core/text.hpp"

namespace rigcast::ueformat {

namespace {

/// Estimated memory for an outline node with its field, in bytes.
constexpr std::uint64_t nodeBytes = 700;

OutlineNode& addNode(Vector<OutlineNode>& nodes, std::string kind, std::uint64_t offset, std::uint64_t size) {
    OutlineNode& node = nodes.emplace_back();
    node.kind = std::move(kind);
    node.offset = offset;
    node.size = size;
    return node;
}

OutlineNode& addPart(const Part& part, Vector<OutlineNode>& nodes) {
    return addNode(nodes, repairUtf8(part.name), part.offset, part.payloadOffset + part.payload.size() - part.offset);
}

}  // namespace

void outlineHeader(const Document& document, Outline& outline) {
    const Header& header = document.header;
    OutlineNode& node = addNode(outline, "header", document.offset, document.bodyOffset - document.offset);
    const auto add = [&](const char* name, const char* type, Value value) {
        OutlineField& field = node.fields.emplace_back();
        field.name = name;
        field.type = type;
        field.count = 1;
        field.value = std::move(value);
    };
    add("identifier", "string", repairUtf8(header.identifier));
    add("version", "u8", std::uint32_t{header.version});
    add("name", "string", repairUtf8(header.name));
    if (document.has(withAttributes)) add("path", "string", repairUtf8(header.path));
    if (header.compression.empty()) return;
    add("compression", "string", repairUtf8(header.compression));
    add("size", "i32", header.size);
}

void addField(const Document& document, const char* name, const char* type, Bytes elements, std::uint64_t offset, std::uint64_t count,
              OutlineNode& node) {
    OutlineField& field = node.fields.emplace_back();
    field.name = name;
    field.type = type;
    field.count = count;
    field.offset = offset;
    field.byteLength = elements.size();
    if (!document.header.compression.empty()) field.expanded.emplace(elements.begin(), elements.end());
}

void outlineParts(const Document& document, const Vector<Part>& parts, Vector<OutlineNode>& nodes) {
    for (const Part& part : parts) {
        const bool isCompressed = !document.header.compression.empty();
        if (!Budget::affords(nodeBytes + 2 * part.name.size() + (isCompressed ? part.payload.size() : 0))) return;
        OutlineNode& node = addPart(part, nodes);
        const auto count = part.count && *part.count >= 0 ? static_cast<std::uint64_t>(*part.count) : part.payload.size();
        addField(document, "payload", part.count ? "elements" : "bytes", part.payload, part.payloadOffset, count, node);
    }
}

void outlineModel(const Document& document, const ModelParts& model, Outline& outline) {
    for (const Part& part : model.root) {
        const bool isSkeleton = part.isKnown && part.name == "SKELETON", isLods = part.isKnown && part.name == "LODS";
        if (!isSkeleton && !isLods) {
            Vector<Part> one;
            one.push_back(part);
            outlineParts(document, one, outline);
            continue;
        }
        OutlineNode& node = addPart(part, outline);
        if (isSkeleton) outlineParts(document, model.skeleton, node.children);
        for (std::size_t i = 0; isLods && i < model.lods.size() && Budget::affords(nodeBytes + model.lods[i].name.size()); ++i) {
            const Lod& lod = model.lods[i];
            OutlineNode& child = addNode(node.children, "LOD", lod.offset, lod.size);
            child.name = lod.name;
            child.isNamed = true;
            outlineParts(document, lod.parts, child.children);
        }
    }
}

}  // namespace rigcast::ueformat
