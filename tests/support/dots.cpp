#include "support/dots.hpp"

#include "core/code.hpp"
#include "core/reader.hpp"
#include "core/text.hpp"

namespace rigcast::test {

namespace {

constexpr std::string_view extensions[] = {"dots"};

Match sniff(Bytes head, std::uint64_t) { return asText(head).starts_with("DOTS") ? Match::yes : Match::no; }

Role role(Pieces&) { return Role::model; }

ReadResult read(const Input& input, Scene& scene, Arena&, Diagnostics& diagnostics) {
    scene.nodes.emplace_back();
    Reader reader(input.bytes);
    reader.skip(4);
    const auto wanted = reader.read<std::uint32_t>();
    const std::size_t count = reader.count(wanted, 12);
    if (reader.failed()) diagnostics.add(Code::TRUNCATED, {.offset = 8}, {"{} points", {wanted}});
    for (std::size_t i = 0; i < count; ++i) {
        Node& node = scene.nodes.emplace_back();
        node.name = scene.strings.intern(formatted("dot {}", {i}));
        node.parent = 0;
        for (double* axis : {&node.local.translation.x, &node.local.translation.y, &node.local.translation.z}) *axis = reader.read<float>();
    }
    return {true, "1"};
}

OutlineResult outline(const Input& input, Outline& outline, Diagnostics&) {
    outline.push_back({.kind = "dots", .size = input.bytes.size()});
    return {"1"};
}

}  // namespace

const Format dotsFormat = {"dots", "dots", "Dots", "Dots", extensions, sniff, role};
const FormatReader dotsReader = {read, outline};

}  // namespace rigcast::test
