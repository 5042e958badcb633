#include "core/diagnostics.hpp"

#include <array>

#include "core/text.hpp"

namespace rigcast {

namespace {

constexpr Severity info = Severity::info;
constexpr Severity warning = Severity::warning;
constexpr Severity error = Severity::error;

constexpr auto table = std::to_array<CodeInfo>({
#define RIGCAST_CODE(name, severity, ids, sentence) {#name, severity, ids, sentence},
#include "core/codes.def"
#undef RIGCAST_CODE
});

}  // namespace

std::span<const CodeInfo> codeTable() { return table; }

const CodeInfo& infoOf(Code code) { return table[static_cast<std::size_t>(code)]; }

std::string_view nameOf(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "info";
}

void Diagnostics::add(Code code, Place place, std::string_view detail, std::uint64_t count) {
    add(code, infoOf(code).severity, place, detail, count);
}

void Diagnostics::add(Code code, Severity severity, Place place, std::string_view detail, std::uint64_t count) {
    if (count == 0) return;
    if (strict_ && severity == Severity::warning) severity = Severity::error;
    totals_[static_cast<std::size_t>(severity)] += count;
    for (Finding& finding : findings_) {
        if (finding.code == code && finding.severity == severity && finding.path == place.path) {
            finding.count += count;
            return;
        }
    }
    if (findings_.size() == limit) {
        truncated_ = true;
        return;
    }
    findings_.push_back({code, severity, place.offset, repairUtf8(place.path), repairUtf8(detail), count});
}

}  // namespace rigcast
