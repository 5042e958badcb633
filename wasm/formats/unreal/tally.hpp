// Reports many damaged records as one finding.
#pragma once

#include <string_view>

#include "core/diagnostics.hpp"
#include "core/reader.hpp"

namespace rigcast::unreal {

/// Counts damaged records and stores the first one, so that one finding reports them all.
struct Tally {
    std::uint64_t count = 0;
    std::size_t first = 0;
    void add(std::size_t record) {
        if (count++ == 0) first = record;
    }
    [[gnu::cold]] void report(Diagnostics& diagnostics, Code code, const Records& records, std::string_view path,
                              std::string_view what) const {
        if (count) diagnostics.add(code, {.offset = records.offsetOf(first), .path = path}, {"{} {}", {what, first}}, count);
    }
    /// Reports a harmless peculiarity of exporters as a single finding with the severity info.
    [[gnu::cold]] void mention(Diagnostics& diagnostics, Code code, const Records& records, std::string_view path,
                               std::string_view what) const {
        if (count) diagnostics.add(code, Severity::info, {.offset = records.offsetOf(first), .path = path}, {"{} {}", {count, what}});
    }
};

}  // namespace rigcast::unreal
