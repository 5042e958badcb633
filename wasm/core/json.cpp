#include "core/json.hpp"

#include <rapidjson/reader.h>

#include <cmath>

#include "core/budget.hpp"
#include "core/number.hpp"
#include "core/vector.hpp"

namespace rigcast {

Value* ValueBuilder::place(Value value) {
    if (open_.empty()) {
        root_ = std::move(value);
        return &root_;
    }
    // Where a container grows: before it does, a file of nothing but brackets is told that it is too large.
    const auto add = [&](auto& container, auto&& entry) {
        const bool fits = container.size() < container.capacity() || Budget::affords(2 * container.size() * sizeof(entry));
        if (!fits) error_ = TreeError::tooLarge;
        return fits ? &container.emplace_back(std::move(entry)) : nullptr;
    };
    Level& level = open_.back();
    if (auto* list = std::get_if<Vector<Value>>(&level.container->data)) return add(*list, std::move(value));
    Property* const member = add(std::get<Properties>(level.container->data), Property{std::move(level.key), std::move(value)});
    return member ? &member->value : nullptr;
}

bool ValueBuilder::add(Value value) { return place(std::move(value)); }

bool ValueBuilder::begin(Value container) {
    if (open_.size() >= depth_) {
        error_ = TreeError::tooDeep;
        return false;
    }
    Value* placed = place(std::move(container));
    if (placed) open_.push_back({placed, {}});
    return placed;
}

bool ValueBuilder::end() {
    open_.pop_back();
    return true;
}

namespace {

/// RapidJSON's events.
struct Handler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
    Handler(ValueBuilder& builder, const rapidjson::MemoryStream& stream, bool nonFinite)
        : builder(builder), stream(stream), nonFinite(nonFinite) {}

    ValueBuilder& builder;
    const rapidjson::MemoryStream& stream;
    bool nonFinite;
    std::optional<std::uint64_t> fraction;

    bool Null() { return builder.add(Value{}); }
    bool Bool(bool value) { return builder.add(value); }
    bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
        const std::string_view number(text, size);
        const double value = readNumber(number);
        if (!nonFinite && !std::isfinite(value)) return false;
        if (!fraction && number.find_first_of(".eEN") != number.npos) fraction = stream.Tell();
        return builder.add(value);
    }
    bool String(const char* text, rapidjson::SizeType size, bool) { return builder.add(std::string_view(text, size)); }
    bool StartObject() { return builder.begin(Properties{}); }
    bool Key(const char* text, rapidjson::SizeType size, bool) {
        builder.key({text, size});
        return true;
    }
    bool EndObject(rapidjson::SizeType) { return builder.end(); }
    bool StartArray() { return builder.begin(Vector<Value>{}); }
    bool EndArray(rapidjson::SizeType) { return builder.end(); }
};

}  // namespace

Tree readJson(std::string_view text, std::size_t depth, bool nonFinite) {
    ValueBuilder builder(depth);
    rapidjson::MemoryStream stream(text.data(), text.size());
    Handler handler(builder, stream, nonFinite);
    rapidjson::Reader reader;
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag | rapidjson::kParseCommentsFlag |
                               rapidjson::kParseNumbersAsStringsFlag;
    // A NUL ends the text for RapidJSON: what stands behind one has not been read.
    if (reader.Parse<flags>(stream, handler) && stream.Tell() == text.size()) return {.root = builder.take(), .fraction = handler.fraction};
    const TreeError error = builder.error() == TreeError::none ? TreeError::syntax : builder.error();
    return {.error = error, .offset = reader.HasParseError() ? reader.GetErrorOffset() : stream.Tell()};
}

Value parseJson(std::string_view text) { return readJson(text).root; }

}  // namespace rigcast
