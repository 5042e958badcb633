// Tests that every id in the format document's table of findings (section 13) belongs to a code.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/codeTexts.hpp"

namespace rigcast {
namespace {

TEST(VgoCodes, EveryIdOfTheFormatHasACode) {
    for (const std::string_view id : {"truncated",
                                      "bad-magic",
                                      "bad-header-length",
                                      "bad-version",
                                      "unsupported-version",
                                      "newer-version",
                                      "bad-geometry-coordinate",
                                      "bad-uv-coordinate",
                                      "crypt-flag-mismatch",
                                      "reserved-nonzero",
                                      "trailing-bytes",
                                      "bad-index",
                                      "chunk-out-of-range",
                                      "duplicate-chunk",
                                      "chunk-type-mismatch",
                                      "missing-chunk",
                                      "bad-composer",
                                      "bad-padding",
                                      "empty-chunk",
                                      "bad-json",
                                      "bad-bson",
                                      "bad-layout",
                                      "bom",
                                      "bad-utf8",
                                      "bad-extensions",
                                      "float-for-int",
                                      "too-deep",
                                      "too-large",
                                      "key-required",
                                      "bad-key",
                                      "bad-crypt-info",
                                      "decrypt-failed",
                                      "unsupported-crypt",
                                      "external-resource",
                                      "length-mismatch",
                                      "no-nodes",
                                      "no-root",
                                      "node-cycle",
                                      "multiple-parents",
                                      "null-node",
                                      "orphan-node",
                                      "accessor-out-of-range",
                                      "bad-data-type",
                                      "bad-sparse",
                                      "sparse-index-out-of-range",
                                      "count-mismatch",
                                      "no-node-transform",
                                      "many-node-transforms",
                                      "node-transform-count",
                                      "non-finite",
                                      "vertex-index-out-of-range",
                                      "bad-triangle-count",
                                      "mime-mismatch",
                                      "bad-image"}) {
        const auto names = [&](const CodeText& text) {
            const std::string ids = " " + std::string(text.ids) + " ";
            return ids.find(" " + std::string(id) + " ") != std::string::npos;
        };
        EXPECT_TRUE(std::any_of(codeTexts().begin(), codeTexts().end(), names)) << id;
    }
}

}  // namespace
}  // namespace rigcast
