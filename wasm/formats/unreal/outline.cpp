#include "formats/unreal/outline.hpp"

#include "formats/unreal/chunks.hpp"
#include "formats/unreal/pskScene.hpp"

namespace rigcast::unreal {

namespace {

OutlineResult outlineChunks(const Input& input, std::string_view head, Outline& outline, Diagnostics& diagnostics) {
    const Directory directory = readDirectory(input.bytes, head, diagnostics);
    for (const Chunk& chunk : directory.chunks) {
        OutlineNode node;
        node.kind = chunk.id;
        node.offset = chunk.offset;
        node.size = Chunk::headerSize + chunk.payload.size();
        OutlineField records;
        records.name = "records";
        records.type = recordName(chunk.type);
        records.count = chunk.count;
        records.offset = chunk.offset + Chunk::headerSize;
        records.byteLength = chunk.payload.size();
        node.fields.push_back(std::move(records));
        outline.push_back(std::move(node));
    }
    return {versionOf(directory)};
}

}  // namespace

OutlineResult outlinePsk(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    return outlineChunks(input, "ACTRHEAD", outline, diagnostics);
}

OutlineResult outlinePsa(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    return outlineChunks(input, "ANIMHEAD", outline, diagnostics);
}

}  // namespace rigcast::unreal
