// What a reader has to say about a file: codes from one table, counted, capped, with a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigcast {

/// error: data is lost or had to be invented. warning: repaired, clamped, reduced. info: unusual but faithful.
enum class Severity : std::uint8_t { info, warning, error };

enum class Code : std::uint16_t {
#define RIGCAST_CODE(name, severity, ids, sentence) name,
#include "core/codes.def"
#undef RIGCAST_CODE
};

/// A row of the one table (core/codes.def).
struct CodeInfo {
    std::string_view name;      // stable, SCREAMING_CASE
    Severity severity;          // default
    std::string_view ids;       // ids of the format documents that this code stands for, or empty
    std::string_view sentence;  // what it means, for people
};

std::span<const CodeInfo> codeTable();
const CodeInfo& infoOf(Code code);
std::string_view nameOf(Severity severity);

/// Where and how a finding arose. `offset` is a byte offset in the file, `path` the outline path of the unit it is about.
struct Place {
    std::optional<std::uint64_t> offset = std::nullopt;
    std::string_view path = {};
};

struct Finding {
    Code code;
    Severity severity;
    std::optional<std::uint64_t> offset;
    std::string path;
    std::string detail;
    std::uint64_t count = 1;
};

/// Collects findings. The same code at the same path is one finding with a count: first place and detail stay, since ten thousand
/// bad faces are one thing to tell. More than `limit` different ones are only counted, and `truncated()` says so.
class Diagnostics {
public:
    static constexpr std::size_t limit = 500;

    explicit Diagnostics(bool strict = false) : strict_(strict) {}

    /// With the code's own severity (in strict mode warnings become errors).
    void add(Code code, Place place = {}, std::string_view detail = {}, std::uint64_t count = 1);
    /// With another severity: for rules whose level depends on what could be saved.
    void add(Code code, Severity severity, Place place, std::string_view detail = {}, std::uint64_t count = 1);

    std::span<const Finding> findings() const { return findings_; }
    std::uint64_t total(Severity severity) const { return totals_[static_cast<std::size_t>(severity)]; }
    bool truncated() const { return truncated_; }

private:
    bool strict_;
    bool truncated_ = false;
    std::uint64_t totals_[3] = {};
    std::vector<Finding> findings_;
};

}  // namespace rigcast
