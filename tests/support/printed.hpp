// Files that are printed from the tables of the core, for JavaScript and for documentation.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rigcast::test {

/// A file of the repository: its path, and a function that returns its contents.
struct PrintedFile {
    std::string_view path;
    std::string (*text)();
};

/// All files that `npm run print` takes from C++.
std::span<const PrintedFile> printedFiles();

}  // namespace rigcast::test
