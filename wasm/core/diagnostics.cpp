#include "core/diagnostics.hpp"

#include <array>
#include <iterator>

#include "core/text.hpp"

namespace rigcast {

namespace {

constexpr Severity info = Severity::info;
constexpr Severity warning = Severity::warning;
constexpr Severity error = Severity::error;

constexpr auto table = std::to_array<CodeInfo>({
#define RIGCAST_CODE(name, severity, ids, sentence, advice) {#name, severity},
#include "core/codes.def"
#undef RIGCAST_CODE
});

/// Shortens a text to at most `mostBytes` bytes, without splitting a character. Needed because
/// texts in files can be megabytes long.
std::string_view shortened(std::string_view text) {
    if (text.size() <= Diagnostics::mostBytes) return text;
    std::size_t end = Diagnostics::mostBytes;
    while (end > Diagnostics::mostBytes - 4 && (text[end] & 0xC0) == 0x80) --end;
    return text.substr(0, end);
}

/// Appends an integer as decimal text. A library function would be faster, but would add a kilobyte
/// of wasm.
void appendWhole(std::string& text, std::uint64_t value) {
    char digits[20];
    char* first = std::end(digits);
    do *--first = static_cast<char>('0' + value % 10);
    while (value /= 10);
    text.append(first, std::end(digits));
}

}  // namespace

std::span<const CodeInfo> codeTable() { return table; }

const CodeInfo& infoOf(Code code) { return table[static_cast<std::size_t>(code)]; }

std::string_view nameOf(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "info";
}

void Argument::appendTo(std::string& text) const {
    switch (kind_) {
        case Kind::integer:
            if (integer_ < 0) text += '-';
            appendWhole(text, integer_ < 0 ? 0 - static_cast<std::uint64_t>(integer_) : static_cast<std::uint64_t>(integer_));
            break;
        case Kind::natural:
            appendWhole(text, natural_);
            break;
        case Kind::number:
            text += numberText(number_);
            break;
        case Kind::text:
            text.append(text_, size_);
            break;
    }
}

std::string Detail::text() const {
    if (isPlain_) return std::string(pattern_);
    std::string text;
    std::string_view rest = pattern_;
    for (const Argument& argument : arguments_) {
        const std::size_t at = rest.find("{}");
        if (at == std::string_view::npos) break;
        text += rest.substr(0, at);
        argument.appendTo(text);
        rest.remove_prefix(at + 2);
    }
    return text += rest;
}

std::string formatted(const char* pattern, std::initializer_list<Argument> arguments) { return Detail(pattern, arguments).text(); }

void Diagnostics::add(Code code, const Location& location, const Detail& detail, std::uint64_t count) {
    add(code, infoOf(code).severity, location, detail, count);
}

void Diagnostics::add(Code code, Severity severity, const Location& location, const Detail& detail, std::uint64_t count) {
    if (count == 0) return;
    if (strict_ && severity == Severity::warning) severity = Severity::error;
    totals_[static_cast<std::size_t>(severity)] += count;
    const std::string_view path = shortened(location.path);
    const auto isOther = [&](std::size_t i) {
        const Finding& finding = findings_[i];
        return finding.code != code || finding.severity != severity || finding.path != path;
    };
    std::size_t at = last_;
    if (at >= findings_.size() || isOther(at)) {
        if (++searches_ > mostSearches) {
            truncated_ = true;
            return;
        }
        for (at = 0; at < findings_.size() && isOther(at);) ++at;
    }
    if (at == limit) {
        truncated_ = true;
        return;
    }
    last_ = at;
    if (at < findings_.size()) {
        findings_[at].count += count;
        return;
    }
    findings_.push_back({code, severity, location.offset, repairUtf8(path), repairUtf8(shortened(detail.text())), count});
}

}  // namespace rigcast
