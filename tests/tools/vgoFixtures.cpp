// rigcast_vgoFixtures FOLDER: writes the VGO fixtures that are committed in tests/data/vgo: a
// puppet with the conventions of real files.
#include <cstdio>
#include <fstream>
#include <string>

#include "support/vgoPuppet.hpp"

using namespace rigcast;

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: rigcast_vgoFixtures FOLDER\n");
        return 2;
    }
    for (const auto& [name, bytes] : test::puppetFixtures()) {
        std::ofstream file(std::string(arguments[1]) + "/" + name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!file) return 1;
    }
    return 0;
}
