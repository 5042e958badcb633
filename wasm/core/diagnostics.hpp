// What a reader has to say about a file: codes from one table, counted, capped, with a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/vector.hpp"

namespace rigcast {

/// error: data is lost or had to be invented. warning: repaired, clamped, reduced. info: unusual but faithful.
enum class Severity : std::uint8_t { info, warning, error };

/// A row of core/codes.def. Include core/code.hpp to name one.
enum class Code : std::uint16_t;

/// What reading needs of a row of the one table (core/codes.def); the sentences for people: core/codeTexts.hpp.
struct CodeInfo {
    const char* name;   // stable, SCREAMING_CASE
    Severity severity;  // default
};

std::span<const CodeInfo> codeTable();
const CodeInfo& infoOf(Code code);
std::string_view nameOf(Severity severity);

/// Where and how a finding arose. `offset` is a byte offset in the file, `path` the outline path of the unit it is about.
struct Place {
    std::optional<std::uint64_t> offset = std::nullopt;
    std::string_view path = {};
};

/// For default arguments: a constant, where `{}` would be made anew at every call. So is `noDetail`.
inline constexpr Place noPlace;

/// What stands for a {} of a detail: a number, or a text that lives until the finding is added.
class Argument {
public:
    Argument(int value) : Argument(static_cast<long long>(value)) {}
    Argument(long value) : Argument(static_cast<long long>(value)) {}
    Argument(long long value) : kind_(Kind::integer) { integer_ = value; }
    Argument(unsigned value) : Argument(static_cast<unsigned long long>(value)) {}
    Argument(unsigned long value) : Argument(static_cast<unsigned long long>(value)) {}
    Argument(unsigned long long value) : kind_(Kind::natural) { natural_ = value; }
    Argument(double value) : kind_(Kind::number) { number_ = value; }
    Argument(std::string_view value) : kind_(Kind::text), size_(static_cast<std::uint32_t>(value.size())) { text_ = value.data(); }
    Argument(const std::string& value) : Argument(std::string_view(value)) {}
    Argument(const char* value) : Argument(std::string_view(value)) {}
    void appendTo(std::string& text) const;

private:
    enum class Kind : std::uint8_t { integer, natural, number, text } kind_;
    std::uint32_t size_ = 0;
    union {
        long long integer_;
        unsigned long long natural_;
        double number_;  // at most six decimals
        const char* text_;
    };
};

/// A text in the making: plain, or a pattern in which each {} stands for the next argument. What is only looked at costs no string, and
/// a call with a pattern is a third of the code of one with strings added up.
class Detail {
public:
    constexpr Detail() = default;
    Detail(const char* text) : pattern_(text) {}
    Detail(std::string_view text) : pattern_(text), isPlain_(true) {}
    Detail(const std::string& text) : Detail(std::string_view(text)) {}
    Detail(const char* pattern, std::initializer_list<Argument> arguments) : pattern_(pattern), arguments_(arguments) {}
    std::string text() const;

private:
    std::string_view pattern_;
    std::initializer_list<Argument> arguments_;
    bool isPlain_ = false;  // out of a file: braces mean nothing
};

inline constexpr Detail noDetail;

/// The text of such a pattern.
std::string formatted(const char* pattern, std::initializer_list<Argument> arguments);

struct Finding {
    using MadeOf = MovableParts;
    Code code;
    Severity severity;
    std::optional<std::uint64_t> offset;
    std::string path;
    std::string detail;
    std::uint64_t count = 1;
};

/// Collects findings. The same code at the same path is one finding with a count: first place and detail stay, since ten thousand
/// bad faces are one thing to tell. More than `limit` different ones are only counted, and `truncated()` says so; so are those of a file made to
/// have a million by turns.
class Diagnostics {
public:
    static constexpr std::size_t limit = 500;
    /// Of a path and of a detail; what is longer is cut.
    static constexpr std::size_t mostBytes = 256;
    /// How often earlier findings are searched for the same one.
    static constexpr std::size_t mostSearches = 1u << 15;

    explicit Diagnostics(bool strict = false) : strict_(strict) {}

    /// With the code's own severity (in strict mode warnings become errors).
    void add(Code code, const Place& place = noPlace, const Detail& detail = noDetail, std::uint64_t count = 1);
    /// With another severity: for rules whose level depends on what could be saved.
    void add(Code code, Severity severity, const Place& place, const Detail& detail = noDetail, std::uint64_t count = 1);

    std::span<const Finding> findings() const { return findings_; }
    std::uint64_t total(Severity severity) const { return totals_[static_cast<std::size_t>(severity)]; }
    bool truncated() const { return truncated_; }

private:
    bool strict_;
    bool truncated_ = false;
    std::uint64_t totals_[3] = {};
    std::size_t last_ = 0, searches_ = 0;  // the finding counted last
    Vector<Finding> findings_;
};

}  // namespace rigcast
