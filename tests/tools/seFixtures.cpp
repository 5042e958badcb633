// rigcast_seFixtures FOLDER: writes the SE fixtures that are committed in tests/data/se.
#include <cstdio>
#include <fstream>

#include "support/se.hpp"

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: rigcast_seFixtures FOLDER\n");
        return 2;
    }
    for (const auto& fixture : rigcast::test::seFixtures()) {
        std::ofstream file(std::string(arguments[1]) + "/" + fixture.name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(fixture.bytes.data()), static_cast<std::streamsize>(fixture.bytes.size()));
        if (!file) {
            std::fprintf(stderr, "cannot write %s\n", fixture.name.c_str());
            return 1;
        }
    }
    return 0;
}
