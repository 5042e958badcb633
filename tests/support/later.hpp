// A file that is read where it lies, with what can wait left for later, must come to the same as one that is read whole.
#pragma once

#include <string>
#include <utility>

#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"

namespace rigcast::test {

inline Input inputOf(Bytes bytes, std::string_view name) {
    Input input;
    input.bytes = bytes;
    input.name = name;
    return input;
}

/// A file in other memory than its reader's.
class FileOutside final : public Source {
public:
    FileOutside(std::uint8_t* home, Bytes file) : Source(home, file.size()), file_(file) {}
    std::size_t pulled = 0;  // bytes

private:
    void pull(std::size_t offset, std::size_t count, std::uint8_t* to) override {
        const Bytes part = file_.subspan(offset, count);
        std::memcpy(to, part.data(), part.size());
        pulled += count;
    }
    Bytes file_;
};

/// All that comes of a file, as JavaScript gets it.
struct Outcome {
    std::string description;
    Vector<Vector<std::uint8_t>> blocks;
    std::size_t pulled = 0;  // bytes, before anything was made that could wait
    std::size_t later = 0;   // columns that did
};

inline Outcome outcomeOf(std::string_view format, Input input, bool strict, bool isOutside) {
    const Bytes file = input.bytes;
    Scene scene;
    Arena arena;
    Diagnostics diagnostics(strict);
    Budget budget(Budget::memoryFor(input.size()), Budget::workFor(input.size()));
    Vector<std::uint8_t> home;
    if (isOutside) home.resize(input.bytes.size(), 0xCD);
    FileOutside source(home.data(), input.bytes);
    if (isOutside) {
        input.bytes = {home.data(), home.size()};
        input.source = &source;
    }
    const OpenResult result = openScene(input, format, scene, arena, diagnostics);
    if (!result.hasScene) budget.extend(1 << 20);
    Outcome outcome;
    outcome.description = describe(result.hasScene ? &scene : nullptr, scene.references, arena, diagnostics, format, result.version);
    outcome.pulled = source.pulled;
    for (const Arena::Block& block : arena.blocks()) {
        Vector<std::uint8_t> bytes;
        for (const Arena::Piece& piece : block.pieces) {
            if (piece.data) {
                bytes.insert(bytes.end(), piece.data.get(), piece.data.get() + piece.size);
                continue;
            }
            Vector<float> made(piece.size / sizeof(float), 0);
            // Nothing but the file and the recipe is left by then.
            const Vector<std::uint8_t> recipe = block.recipe;
            FileOutside again(nullptr, file);
            result.format->make(again, {recipe.data(), recipe.size()}, {made.data(), made.size()});
            const auto* from = reinterpret_cast<const std::uint8_t*>(made.data());
            bytes.insert(bytes.end(), from, from + piece.size);
            ++outcome.later;
        }
        outcome.blocks.push_back(std::move(bytes));
    }
    return outcome;
}

/// What differs between the two ways; empty where nothing does.
inline std::string differenceOf(std::string_view format, const Input& input, bool strict = false) {
    const Outcome whole = outcomeOf(format, input, strict, false), outside = outcomeOf(format, input, strict, true);
    if (whole.description != outside.description) return "descriptions:\n" + whole.description + "\n" + outside.description;
    if (whole.blocks.size() != outside.blocks.size()) return "number of blocks";
    for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
        const auto &a = whole.blocks[i], &b = outside.blocks[i];
        if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) return "block " + std::to_string(i);
    }
    return {};
}

}  // namespace rigcast::test
