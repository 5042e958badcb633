#include "core/json.hpp"

#include <rapidjson/reader.h>

#include <charconv>
#include <cmath>

#include "core/budget.hpp"
#include "core/number.hpp"
#include "core/vector.hpp"

namespace rigcast {

Value* ValueBuilder::insert(Value value) {
    if (open_.empty()) {
        root_ = std::move(value);
        return &root_;
    }
    // Checks the budget before a container grows, so that a file that contains only brackets
    // results in the error `tooLarge`.
    const auto add = [&](auto& container, auto&& entry) {
        const bool fits = container.size() < container.capacity() || Budget::affords(std::uint64_t{2} * container.size() * sizeof(entry));
        if (!fits) error_ = TreeError::tooLarge;
        return fits ? &container.emplace_back(std::move(entry)) : nullptr;
    };
    Level& level = open_.back();
    if (auto* list = level.container->get<Vector<Value>>()) return add(*list, std::move(value));
    Property* const member = add(level.container->as<Properties>(), Property{std::move(level.key), std::move(value)});
    return member ? &member->value : nullptr;
}

bool ValueBuilder::add(Value value) { return insert(std::move(value)); }

bool ValueBuilder::begin(Value container) {
    if (open_.size() >= depth_) {
        error_ = TreeError::tooDeep;
        return false;
    }
    Value* placed = insert(std::move(container));
    if (placed) open_.push_back({placed, {}});
    return placed;
}

bool ValueBuilder::end() {
    open_.pop_back();
    return true;
}

namespace {

/// Passes the events of RapidJSON to the builder.
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

/// Returns the code unit of the escape sequence (`\uXXXX`) at `at`, or -1 if there is no escape
/// sequence.
std::int32_t escapedUnit(std::string_view text, std::size_t at) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
    std::uint32_t unit = 0;
    const char* end = text.data() + at + 6;
    const auto [read, error] = std::from_chars(text.data() + at + 2, end, unit, 16);
    return error == std::errc() && read == end ? static_cast<std::int32_t>(unit) : -1;
}

/// Copies the text and replaces each escaped unpaired surrogate with `\uFFFD`, which has the same
/// length. Returns the number of replacements. Does not copy the text if there are none.
std::uint64_t replaceHalves(std::string_view text, std::string& copy) {
    std::uint64_t halves = 0;
    for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
        const std::int32_t unit = escapedUnit(text, at);
        if (unit < 0) {
            at += 2;
            continue;
        }
        const bool isHigh = unit >= 0xD800 && unit < 0xDC00, isLow = unit >= 0xDC00 && unit < 0xE000;
        const std::int32_t next = isHigh ? escapedUnit(text, at + 6) : -1;
        if (next >= 0xDC00 && next < 0xE000) {
            at += 12;
            continue;
        }
        if (isHigh || isLow) {
            if (halves++ == 0) copy = text;
            copy.replace(at, 6, "\\uFFFD");
        }
        at += 6;
    }
    return halves;
}

}  // namespace

Tree readJson(std::string_view text, std::size_t depth, bool lenient) {
    std::string copy;
    const std::uint64_t halves = lenient ? replaceHalves(text, copy) : 0;
    if (halves) text = copy;
    ValueBuilder builder(depth);
    rapidjson::MemoryStream stream(text.data(), text.size());
    Handler handler(builder, stream, lenient);
    rapidjson::Reader reader;
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag | rapidjson::kParseCommentsFlag |
                               rapidjson::kParseNumbersAsStringsFlag;
    // Requires that parsing ends at the end of the text, because RapidJSON stops at a NUL and would
    // ignore the rest.
    if (reader.Parse<flags>(stream, handler) && stream.Tell() == text.size())
        return {.root = builder.take(), .halves = halves, .fraction = handler.fraction};
    const TreeError error = builder.error() == TreeError::none ? TreeError::syntax : builder.error();
    return {.error = error, .offset = reader.HasParseError() ? reader.GetErrorOffset() : stream.Tell()};
}

Value parseJson(std::string_view text) { return readJson(text).root; }

}  // namespace rigcast
