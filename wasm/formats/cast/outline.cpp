#include "formats/cast/outline.hpp"

#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/cast/values.hpp"

namespace rigcast {

namespace {

/// Returns a node id as four characters. Unprintable characters become dots.
std::string spellId(std::uint32_t id) {
    std::string text;
    for (int shift = 0; shift < 32; shift += 8) {
        const auto byte = static_cast<char>(id >> shift & 0xFF);
        text += byte >= ' ' && byte <= '~' ? byte : '.';
    }
    return text;
}

OutlineField fieldOf(const CastDocument& document, const CastProperty& property) {
    OutlineField field;
    field.name = repairUtf8(property.name);
    field.type = infoOf(property.type).spelling;
    field.count = property.count;
    field.offset = document.offsetOf(property.payload);
    field.byteLength = property.payload.size();
    // Excludes the last terminator from the size.
    if (property.type == CastType::text && field.byteLength > 0) --field.byteLength;
    field.value = castValue(property);
    return field;
}

OutlineNode nodeOf(const CastDocument& document, std::uint32_t index) {
    const CastNode& node = document.nodes[index];
    OutlineNode out;
    out.kind = castKind(node.id);
    const CastValues values{document};
    out.name = values.text(index, node.id == castIds::curve || node.id == castIds::modeOverride ? CastName("nn") : CastName("n"));
    out.id = spellId(node.id);
    out.hash = castHash(document.hash(index));
    out.offset = node.offset;
    out.size = document.nodeSize(index);
    out.fields.reserve(node.propertyCount);
    for (const CastProperty& property : document.propertiesOf(index)) out.fields.push_back(fieldOf(document, property));
    return out;
}

/// Adds the children of a node. Recursion is safe, because the reader limits the depth.
void addChildren(const CastDocument& document, CastChildren children, Vector<OutlineNode>& out) {
    for (const std::uint32_t child : children) {
        out.push_back(nodeOf(document, child));
        addChildren(document, document.children(child), out.back().children);
    }
}

}  // namespace

void outlineCast(const CastDocument& document, Outline& outline) { addChildren(document, document.roots(), outline); }

}  // namespace rigcast
