#include "formats/vgo/outline.hpp"

#include "core/code.hpp"
#include "formats/vgo/accessor.hpp"

namespace rigcast {

namespace {

OutlineNode accessorNode(const VgoDocument& document, std::size_t index, Diagnostics& diagnostics) {
    const VgoAccessor& accessor = document.accessors[index];
    const auto offset =
        document.resourceIsEmbedded && accessor.usable ? document.resourceOffset + static_cast<std::uint64_t>(accessor.byteOffset) : 0;
    OutlineNode node{.kind = "accessor", .name = formatted("{}", {index}), .offset = offset, .size = accessor.data.size()};
    if (!accessor.usable) return node;
    OutlineField field{.name = "data",
                       .type = formatted("{}", {accessor.dataType}),
                       .count = static_cast<std::uint64_t>(accessor.count),
                       .offset = offset,
                       .byteLength = accessor.denseLength()};
    if (accessor.isSparse() || !document.resourceIsEmbedded) {
        if (!Budget::spend(field.byteLength / bytesPerStep)) {
            diagnostics.add(Code::WORK_LIMIT, {.path = formatted("accessors[{}]", {index})}, {"{} bytes of data", {field.byteLength}});
            return node;
        }
        field.expanded.emplace(static_cast<std::size_t>(accessor.denseLength()));
        expandAccessor(accessor, field.expanded->data());
    }
    node.fields.push_back(std::move(field));
    return node;
}

}  // namespace

void outlineVgo(const VgoDocument& document, Outline& outline, Diagnostics& diagnostics) {
    const VgoChunk* list = document.chunkOf(accessorSlot);
    for (const VgoChunk& chunk : document.chunks) {
        OutlineNode node{.kind = chunk.name, .offset = chunk.offset, .size = chunk.byteLength};
        if (&chunk == list)
            for (std::size_t i = 0; i < document.accessors.size(); ++i) node.children.push_back(accessorNode(document, i, diagnostics));
        node.fields.push_back({.name = "payload",
                               .type = "u8",
                               .count = chunk.payload.size(),
                               .offset = chunk.payloadOffset(),
                               .byteLength = chunk.payload.size()});
        outline.push_back(std::move(node));
    }
}

}  // namespace rigcast
