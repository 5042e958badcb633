// Damages files in ways that every format must survive. Each sweep opens and outlines damaged
// variants of a file. It only checks that there is a valid scene or none, that the JSON is valid
// and, with sanitizers, that nothing is read out of bounds.
#pragma once

#include <cstdlib>

#include "support/deferred.hpp"
#include "support/open.hpp"

namespace rigcast::test {

/// Returns the stride of a sweep with about 500 variants, or 1 if RIGCAST_LONG is set (`npm
/// run nightly`). The stride is odd, so that a sweep visits every byte of a word.
inline std::size_t strideOf(std::size_t variants) { return std::getenv("RIGCAST_LONG") ? 1 : variants / 500 | 1; }

/// Opens a variant of a file. `what` is the name of the variant in messages.
template <class Visit>
void openDamaged(std::string_view format, Bytes bytes, const std::string& what, const ReadOptions& options, Visit visit) {
    SCOPED_TRACE(what);
    const auto opened = readBytes(format, bytes, options);
    // If there is no scene, there must be an error, or the file needs something that JavaScript
    // must supply (decrypted bytes of VGO).
    if (!opened->result.hasScene && !opened->isWaiting() && opened->diagnostics.total(Severity::error) == 0)
        ADD_FAILURE() << "no scene, no need and no error";
    readOutline(format, bytes, options);
    if (format == "psa" || format == "cast" || format.starts_with("ue")) {
        EXPECT_EQ(differenceOf(format, inputOf(bytes, options.name), options.strict), "");
    }
    visit(*opened);
}

inline void ignoreOpened(const Opened&) {}

/// Truncates a valid file to lengths that are multiples of `step`. Skips some of these lengths if
/// there are many (`strideOf`). Calls `visit` with every result.
template <class Visit = decltype(&ignoreOpened)>
void everyPrefix(Bytes bytes, std::string_view format, const ReadOptions& options = {}, std::size_t step = 1, Visit visit = &ignoreOpened) {
    step *= strideOf(bytes.size() / step);
    for (std::size_t size = 0; size < bytes.size() && !testing::Test::HasFatalFailure(); size += step)
        openDamaged(format, bytes.first(size), "the first " + std::to_string(size) + " bytes", options, visit);
}

/// Replaces each byte in [first, first + length) with its value plus one, its value minus one, 0
/// and 255. Skips some of these variants if there are many (`strideOf`). Calls `visit` with every
/// result.
template <class Visit = decltype(&ignoreOpened)>
void bytePatches(Bytes bytes, std::size_t first, std::size_t length, std::string_view format, const ReadOptions& options = {},
                 Visit visit = &ignoreOpened) {
    ExactBytes patched(bytes);
    const std::size_t stride = strideOf(4 * std::min(bytes.size() - first, length));
    std::size_t variant = 0;
    for (std::size_t at = first; at < std::min(bytes.size(), first + length); ++at) {
        const std::uint8_t original = bytes[at];
        const std::uint8_t values[] = {static_cast<std::uint8_t>(original + 1), static_cast<std::uint8_t>(original - 1), 0, 255};
        for (const std::uint8_t value : values) {
            if (variant++ % stride || value == original) continue;
            patched[at] = value;
            openDamaged(format, patched.bytes(), "byte " + std::to_string(at) + " = " + std::to_string(value), options, visit);
        }
        patched[at] = original;
    }
}

inline void bytePatches(Bytes bytes, std::size_t headerLength, std::string_view format, const ReadOptions& options = {}) {
    bytePatches(bytes, 0, headerLength, format, options);
}

}  // namespace rigcast::test
