// rigcast_fixtures [folder]: writes the Unreal fixtures that are committed in tests/data/unreal,
// which is the default folder. A test compares them with this output.
#include <cstdio>
#include <string>

#include "support/unrealFixtures.hpp"

int main(int count, char** arguments) {
    const std::string folder = count > 1 ? arguments[1] : "tests/data/unreal";
    for (const auto& [name, bytes] : rigcast::test::unrealFixtures()) {
        std::FILE* file = std::fopen((folder + "/" + name).c_str(), "wb");
        if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
            std::fprintf(stderr, "cannot write %s/%s\n", folder.c_str(), name.c_str());
            return 1;
        }
        std::fclose(file);
        std::printf("%s/%s %zu bytes\n", folder.c_str(), name.c_str(), bytes.size());
    }
    return 0;
}
