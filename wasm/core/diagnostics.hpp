// Collects findings about a file. Each finding has a code, a file offset and a path. Findings with
// the same code and path are counted together, and the number of different findings is limited.
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

/// Severity of a finding. error: data is lost or had to be invented. warning: data was repaired,
/// clamped or reduced. info: data is unusual, but was read as stored.
enum class Severity : std::uint8_t { info, warning, error };

/// A row of core/codes.def. The enumerators are in core/code.hpp.
enum class Code : std::uint16_t;

/// Name and default severity of a finding code (core/codes.def). The texts of codes are in
/// core/codeTexts.hpp.
struct CodeInfo {
    const char* name;   // name in SCREAMING_CASE, which never changes
    Severity severity;  // default
};

std::span<const CodeInfo> codeTable();
const CodeInfo& infoOf(Code code);
std::string_view nameOf(Severity severity);

/// Location of a finding: `offset` in bytes from the start of the file, and `path` of the outline
/// node.
struct Location {
    std::optional<std::uint64_t> offset = std::nullopt;
    std::string_view path = {};
};

/// Default argument for findings without a location. A constant needs less code than `{}`, which
/// would construct a Location at every call.
inline constexpr Location noLocation;

/// The value for one {} of a pattern: a number or a string. A string must stay valid until the call
/// that adds the finding returns.
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
        double number_;  // printed with at most six decimals
        const char* text_;
    };
};

/// The detail of a finding: a plain text, or a pattern in which each {} is replaced by the next
/// argument. The text is formatted only if the finding is stored. A call with a pattern compiles to
/// a third of the code that string concatenation would need.
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
    bool isPlain_ = false;  // true: each {} is kept, because the text can be from a file
};

inline constexpr Detail noDetail;

/// Returns the pattern with each {} replaced by the next argument.
std::string formatted(const char* pattern, std::initializer_list<Argument> arguments);

struct Finding {
    using Relocation = Bytewise;
    Code code;
    Severity severity;
    std::optional<std::uint64_t> offset;
    std::string path;
    std::string detail;
    std::uint64_t count = 1;
};

/// Collects findings. A finding with the same code and path as an earlier finding only increments
/// the count of the earlier one. After `limit` different findings, or `mostSearches` searches,
/// `truncated()` returns true and further findings only change the totals.
class Diagnostics {
public:
    static constexpr std::size_t limit = 500;
    /// Maximum length of a path or a detail in bytes. Longer texts are cut off.
    static constexpr std::size_t mostBytes = 256;
    /// Maximum number of searches for an equal finding. Limits the time for files in which
    /// different findings alternate.
    static constexpr std::size_t mostSearches = 1u << 15;

    explicit Diagnostics(bool strict = false) : strict_(strict) {}

    /// Adds a finding with the default severity of its code. In strict mode, warnings become
    /// errors.
    void add(Code code, const Location& location = noLocation, const Detail& detail = noDetail, std::uint64_t count = 1);
    /// Adds a finding with the given severity instead of the default severity of its code.
    void add(Code code, Severity severity, const Location& location, const Detail& detail = noDetail, std::uint64_t count = 1);

    std::span<const Finding> findings() const { return findings_; }
    std::uint64_t total(Severity severity) const { return totals_[static_cast<std::size_t>(severity)]; }
    bool truncated() const { return truncated_; }

private:
    bool strict_;
    bool truncated_ = false;
    std::uint64_t totals_[3] = {};
    std::size_t last_ = 0, searches_ = 0;  // last_: index of the finding whose count changed last
    Vector<Finding> findings_;
};

}  // namespace rigcast
