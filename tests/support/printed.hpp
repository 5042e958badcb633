// Files for JavaScript and documentation that are generated from the tables of the core.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rigcast::test {

/// A generated file: its path, and a function that returns its contents.
struct PrintedFile {
    std::string_view path;
    std::string (*text)();
};

/// Returns all files that `npm run print` generates from C++.
std::span<const PrintedFile> printedFiles();

}  // namespace rigcast::test
