#include "formats/mrtk/outline.hpp"

#include "core/text.hpp"

namespace rigcast {

namespace {

constexpr std::uint64_t curveHeaderBytes = 12;

OutlineField wrapField(std::string name, std::int32_t mode, std::uint64_t offset) {
    return {.name = std::move(name), .type = "i32", .count = 1, .offset = offset, .byteLength = 4, .value = mode};
}

OutlineNode curveNode(const MrtkDocument& document, std::size_t index) {
    const MrtkCurve& curve = document.curves[index];
    const std::uint64_t bytes = curve.keys.size() * curve.keys.stride();
    OutlineNode node{.kind = "curve", .name = document.curveName(index), .offset = curve.offset, .size = curveHeaderBytes + bytes};
    node.fields.push_back({.name = "keys",
                           .type = document.isBoolean(index) ? "BoolKey"
                                   : curve.keys.stride() > 8 ? "FloatKey"
                                                             : "SimpleKey",
                           .count = curve.keys.size(),
                           .offset = curve.offset + curveHeaderBytes,
                           .byteLength = bytes});
    node.fields.push_back(wrapField("pre", curve.preWrap, curve.offset));
    node.fields.push_back(wrapField("post", curve.postWrap, curve.offset + 4));
    return node;
}

void addGroup(const MrtkDocument& document, std::string kind, std::size_t first, std::size_t last, Outline& outline) {
    last = std::min(last, document.curves.size());
    if (first >= last) return;
    OutlineNode group{.kind = std::move(kind), .offset = document.curves[first].offset};
    for (std::size_t i = first; i < last; ++i) group.children.push_back(curveNode(document, i));
    const OutlineNode& end = group.children.back();
    group.size = end.offset + end.size - group.offset;
    outline.push_back(std::move(group));
}

}  // namespace

void outlineRecording(const MrtkDocument& document, Outline& outline) {
    if (document.camera) addGroup(document, "camera", 0, 7, outline);
    if (document.hands) {
        addGroup(document, "states", document.stateStart(), document.stateStart() + 4, outline);
        addGroup(document, "hand.left", document.jointStart(0, 0), document.jointStart(1, 0), outline);
        addGroup(document, "hand.right", document.jointStart(1, 0), document.gazeStart(), outline);
    }
    if (document.gaze) addGroup(document, "gaze", document.gazeStart(), document.curveTotal(), outline);
    if (!document.hasMarkerList || document.curves.size() < document.curveTotal()) return;
    OutlineNode markers{.kind = "markers", .offset = document.markersOffset};
    markers.size = 4;
    for (const MrtkMarker& marker : document.markers) {
        OutlineNode node{
            .kind = "marker", .name = repairUtf8(asText(marker.name)), .isNamed = true, .offset = marker.offset, .size = marker.size};
        node.fields.push_back({.name = "time", .type = "f32", .count = 1, .offset = marker.offset, .byteLength = 4, .value = marker.time});
        node.fields.push_back({.name = "name",
                               .type = "string",
                               .count = 1,
                               .offset = marker.offset + 4 + marker.lengthBytes,
                               .byteLength = marker.name.size()});
        markers.size += marker.size;
        markers.children.push_back(std::move(node));
    }
    outline.push_back(std::move(markers));
}

}  // namespace rigcast
