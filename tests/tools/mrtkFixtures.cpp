// rigcast_mrtkFixtures FOLDER: writes the recordings that tests and the demo use.
#include <cstdio>
#include <fstream>
#include <string>

#include "support/takes.hpp"

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: rigcast_mrtkFixtures FOLDER\n");
        return 2;
    }
    const auto save = [&](const char* name, const std::vector<std::uint8_t>& bytes) {
        std::ofstream file(std::string(arguments[1]) + "/" + name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return file.good();
    };
    return save("wavingHands.bin", rigcast::wavingHands()) && save("everyCurve.bin", rigcast::everyCurve()) ? 0 : 1;
}
