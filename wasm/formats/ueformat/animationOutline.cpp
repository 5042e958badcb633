#include "core/budget.hpp"
#include "core/text.hpp"
#include "formats/ueformat/animation.hpp"
#include "formats/ueformat/keys.hpp"
#include "formats/ueformat/outline.hpp"

namespace rigcast::ueformat {

namespace {

/// Estimated memory for a node of a track with its fields, in bytes.
constexpr std::uint64_t nodeBytes = 1500;

void addKeys(const Document& document, const char* name, const char* type, const Records& keys, OutlineNode& node) {
    addField(document, name, type, keys.bytes(), keys.offsetOf(0), keys.size(), node);
}

/// Adds a node for each element of TRACKS or CURVES.
void addElements(const Part& part, const Document& document, bool isCurves, OutlineNode& parent, Diagnostics& diagnostics) {
    for (Items items(part, document, diagnostics); items.next();) {
        const std::string_view name = items.text();
        if (!Budget::affords(nodeBytes + name.size())) return;
        OutlineNode node;
        node.kind = isCurves ? "curve" : "track";
        node.name = repairUtf8(name);
        node.isNamed = true;
        node.offset = *items.location().offset;
        if (isCurves) {
            addKeys(document, "keys", "floatKey", items.records(sizeOf(KeyKind::number)), node);
        } else {
            addKeys(document, "position", "vecKey", items.records(sizeOf(KeyKind::position)), node);
            addKeys(document, "rotation", "quatKey", items.records(sizeOf(KeyKind::rotation)), node);
            addKeys(document, "scale", "vecKey", items.records(sizeOf(KeyKind::scale)), node);
        }
        if (!items.isComplete()) return;
        node.size = items.offset() - node.offset;
        parent.children.push_back(std::move(node));
    }
}

}  // namespace

void outlineAnimation(const Document& document, const AnimParts& parts, Outline& outline, Diagnostics& diagnostics) {
    if (!document.has(withMetadata) && !outline.empty()) {
        const auto add = [&](const char* name, const char* type, std::uint64_t offset, Value value) {
            outline.front().fields.push_back({name, type, 1, offset, 4, std::move(value)});
        };
        add("frames", "i32", parts.head.offset, parts.head.frames);
        add("framesPerSecond", "f32", parts.head.offset + 4, parts.head.rate);
    }
    const std::size_t first = outline.size();
    outlineParts(document, parts.root, outline);
    for (std::size_t i = 0; i < parts.root.size() && first + i < outline.size(); ++i) {
        const Part& part = parts.root[i];
        if (part.isKnown && part.name != "METADATA") addElements(part, document, part.name == "CURVES", outline[first + i], diagnostics);
    }
}

}  // namespace rigcast::ueformat
