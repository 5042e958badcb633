// The part of the benchmark that runs the native build: measures the time from the bytes of a file
// to the description of its scene, and memory. Prints one JSON object. `rigcast_native
// time|warm|memory FILE ROUNDS` (called by tests/bench/run.bench.mjs).
// - time: in each round, the system provides new memory, as it does for a new wasm instance.
// - warm: memory is kept between rounds, so that only the first round has page faults. These times
//   are comparable to memcpy.
// - memory: reads the file once, and measures the peak growth of the resident set, without the
//   buffer of the file.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"

namespace rigcast {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

struct File {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t size = 0;
    Bytes bytes() const { return {data.get(), size}; }
};

File load(const char* path) {
    File file;
    std::FILE* stream = std::fopen(path, "rb");
    if (!stream) return file;
    std::fseek(stream, 0, SEEK_END);
    file.size = static_cast<std::size_t>(std::ftell(stream));
    std::rewind(stream);
    file.data.reset(new std::uint8_t[file.size]);
    if (std::fread(file.data.get(), 1, file.size, stream) != file.size) file.size = 0;
    std::fclose(stream);
    return file;
}

struct Outcome {
    bool hasScene = false;
    std::uint64_t outputBytes = 0;
    double milliseconds = 0;
};

/// Does the same work as `read` of the wasm instance, without passing data to JavaScript.
Outcome readOnce(Bytes bytes, const char* name) {
    const auto start = Clock::now();
    Diagnostics diagnostics;
    Scene scene;
    Arena arena;
    const Value options;
    const OpenResult result = openScene({.bytes = bytes, .name = name, .options = &options, .supplied = {}}, "", scene, arena, diagnostics);
    const std::string description =
        describe(&scene, scene.references, arena, diagnostics, result.format ? result.format->id : "", result.version);
    Outcome outcome{.hasScene = result.hasScene, .outputBytes = description.size(), .milliseconds = millisecondsSince(start)};
    for (const Arena::Block& block : arena.blocks()) outcome.outputBytes += block.size;
    return outcome;
}

/// Returns the value in a line of /proc/self/status, in bytes.
double residentBytes(const char* key) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == key) {
            status >> word;
            return std::strtod(word.c_str(), nullptr) * 1024;
        }
    return 0;
}

void printList(const char* key, const Vector<double>& values) {
    std::printf(",\"%s\":[", key);
    for (std::size_t index = 0; index < values.size(); ++index) std::printf("%s%.4f", index ? "," : "", values[index]);
    std::printf("]");
}

int run(const std::string& mode, const char* path, int rounds) {
    if (mode == "warm") {
        mallopt(M_MMAP_MAX, 0);
        mallopt(M_TRIM_THRESHOLD, -1);
    } else {  // sets a fixed threshold, because by default the allocator adapts it and keeps freed blocks
        mallopt(M_MMAP_THRESHOLD, 0x10000);
        mallopt(M_TRIM_THRESHOLD, 0);
    }
    const File file = load(path);
    if (file.size == 0) return std::fprintf(stderr, "cannot read %s\n", path), 1;
    const char* slash = std::strrchr(path, '/');
    const char* name = slash ? slash + 1 : path;

    std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak of the resident set size
    const double before = residentBytes("VmRSS:");
    const Outcome first = readOnce(file.bytes(), name);
    const double peak = residentBytes("VmHWM:") - before;
    if (!first.hasScene) return std::fprintf(stderr, "%s: no scene\n", path), 1;

    Vector<double> reads, copies;
    if (mode != "memory") {
        const std::unique_ptr<std::uint8_t[]> target(new std::uint8_t[file.size]());
        for (int round = 0; round < rounds; ++round) {
            reads.push_back(readOnce(file.bytes(), name).milliseconds);
            const auto start = Clock::now();
            std::memcpy(target.get(), file.data.get(), file.size);
            // prevents the optimizer from removing the copy
            asm volatile("" : : "r"(target.get()) : "memory");
            copies.push_back(millisecondsSince(start));
        }
    }
    std::printf("{\"inputBytes\":%zu,\"outputBytes\":%llu,\"peakBytes\":%.0f", file.size,
                static_cast<unsigned long long>(first.outputBytes), peak);
    printList("read", reads);
    printList("copy", copies);
    std::printf("}\n");
    return 0;
}

}  // namespace
}  // namespace rigcast

int main(int argc, char** argv) {
    if (argc != 4) return std::fprintf(stderr, "usage: rigcast_native time|warm|memory FILE ROUNDS\n"), 2;
    return rigcast::run(argv[1], argv[2], std::atoi(argv[3]));
}
