// All functions that JavaScript can call. A module instance reads one file and is then discarded,
// so nothing is freed here. Functions that return memory return its heap address, which is valid
// until the next call, or 0 if the allocation failed.
#include <emscripten/bind.h>
#include <emscripten/heap.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "core/code.hpp"
#include "core/json.hpp"
#include "core/reader.hpp"
#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"

#ifdef RIGCAST_OWN_TYPES
/// Replaces embind's registration of all types, which needs 2 KB of gzipped JavaScript and 4 KB of
/// type names in the wasm. A test calls every function below to detect missing types.
extern "C" {
__attribute__((constructor)) EMSCRIPTEN_KEEPALIVE void __embind_register_native_and_builtin_types() {
    using namespace emscripten::internal;
    _embind_register_void(TypeID<void>::get(), "void");
    _embind_register_bool(TypeID<bool>::get(), "bool", sizeof(bool), true, false);
    _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
    _embind_register_std_string(TypeID<std::string>::get(), "std::string");
}
EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const std::type_info*) { return nullptr; }
}
#endif

namespace rigcast {

namespace {

/// True if the instance is about to abort because `operator new` failed or exceeded the budget.
/// JavaScript reads this variable to distinguish exhausted memory from a crash.
bool isHeapSpent = false;

/// Grows the heap once to twice the file size, which is enough for most files. Growing it step by
/// step would be slower, because every step visits all memory in use. If the heap cannot grow this
/// far now, it grows later on demand.
void growFor(double byteLength) {
    const double wanted = 2 * byteLength + (1 << 20);
    if (wanted < 0x80000000 && wanted > static_cast<double>(emscripten_get_heap_size()))
        emscripten_resize_heap(static_cast<std::size_t>(wanted));
}

/// Uninitialized memory. Unlike a std::vector, it is not cleared and can exceed 2 GiB.
struct Buffer {
    std::uint8_t* data = nullptr;
    std::size_t size = 0;
    std::size_t capacity = 0;
    bool ok = true;

    /// Resizes the buffer and keeps the content. If the size exceeds `budget` or the heap, only
    /// sets `ok` to false.
    void resize(double byteLength, double budget) {
        ok = byteLength >= 0 && byteLength <= budget && byteLength <= 0xFFFFFFFF;
        if (!ok) return;
        const auto wanted = static_cast<std::size_t>(byteLength);
        if (wanted > capacity) {  // not realloc, because in emmalloc it overflows beyond 4 GB
            auto* moved = static_cast<std::uint8_t*>(std::malloc(wanted));
            ok = moved != nullptr;
            if (!ok) return;
            if (size) std::memcpy(moved, data, size);
            std::free(data);
            data = moved;
            capacity = wanted;
        }
        size = wanted;
    }
    Bytes bytes() const { return {data, size}; }
};

double addressOf(const void* data) { return static_cast<double>(reinterpret_cast<std::uintptr_t>(data)); }

/// Copies a range of the file from JavaScript's memory to the heap (`readFile` in imports.js).
extern "C" void rigcast_read_file(double offset, double count, double address);

/// Announces a range of the file (`announceRange` in imports.js).
extern "C" void rigcast_announce_range(double offset, double count);

class ExternalFile final : public Source {
public:
    using Source::Source;

    void announce(std::size_t offset, std::size_t count) override {
        rigcast_announce_range(static_cast<double>(offset), static_cast<double>(count));
    }

private:
    void read(std::size_t offset, std::size_t count, std::uint8_t* to) override {
        rigcast_read_file(static_cast<double>(offset), static_cast<double>(count), addressOf(to));
    }
};

/// Allocate and write buffers in JavaScript's memory (`allocateBlock` and `writeBlock` in
/// imports.js).
extern "C" bool rigcast_allocate_block(double block, double size);
extern "C" void rigcast_write_block(double block, double offset, double count, double address);

class JavaScriptBuffers final : public ExternalBuffers {
    bool allocate(std::uint32_t block, std::size_t size) override { return rigcast_allocate_block(block, static_cast<double>(size)); }
    void write(std::uint32_t block, std::size_t offset, Bytes bytes) override {
        rigcast_write_block(block, static_cast<double>(offset), static_cast<double>(bytes.size()), addressOf(bytes.data()));
    }
};

struct Companion {
    std::string kind;
    std::string name;
    Buffer buffer;
};

/// Reads one file. JavaScript fills the memory of `input` and `supply`, then calls `read` or
/// `outline` once, which return the description and the blocks.
class Session {
public:
    /// `maxMemory`: memory limit in bytes for input, companion files and results together.
    /// `maxWork`: work limit in steps (core/budget.hpp). A limit of 0 is replaced by a default that
    /// depends on the size of the input and the companion files.
    Session(double maxMemory, double maxWork)
        : room_(maxMemory > 0 ? std::min(maxMemory, most) : most), isMemoryGiven_(maxMemory > 0), maxWork_(maxWork) {}

    /// Returns memory for the file, which the caller must fill before the next call. Calling
    /// `input` again resizes the memory and keeps its content. Returns 0 and changes nothing if the
    /// size exceeds the memory limit; reading then reports OUT_OF_MEMORY, unless `input` is called
    /// again with a smaller size.
    double input(double byteLength) {
        if (byteLength <= room_) growFor(byteLength);
        return take(input_, byteLength);
    }

    /// Returns memory for a companion file, which the caller must fill before the next call.
    /// Returns 0 if the size exceeds the memory limit.
    double supply(const std::string& kind, const std::string& name, double byteLength) {
        companions_.push_back({kind, name, {}});
        return take(companions_.back().buffer, byteLength);
    }

    /// Alternative to `input`: leaves the file in JavaScript's memory, from which `readFile` copies
    /// ranges. Defers columns that are slow to decode until `decodeColumn` is called. Returns false
    /// if `input` would return 0.
    bool useExternalFile(double byteLength) {
        if (!take(input_, byteLength)) return false;
        source_.emplace(input_.data, input_.size);
        return true;
    }

    /// Selects the clip whose keys `read` reads: its index, -1 for no clip, -2 for every clip
    /// (`Input::clip`).
    void selectClip(double clip) { clip_ = clip >= 0 ? static_cast<std::uint32_t>(clip) : clip == -1 ? noClip : everyClip; }

    /// Decodes a column that this or another instance deferred. Reads the file with `readFile`.
    /// Returns the address of `count` floats, which is valid until the next call.
    double decodeColumn(double format, const std::string& parameters, double count) {
        const auto index = static_cast<std::size_t>(format);
        const FormatReader* const reader = index < allFormats().size() ? allFormats()[index].reader : nullptr;
        if (!reader || !reader->decode) return 0;
        decoded_.resize(static_cast<std::size_t>(count));
        ExternalFile file(nullptr, 0);
        reader->decode(file, {reinterpret_cast<const std::uint8_t*>(parameters.data()), parameters.size()},
                       {decoded_.data(), decoded_.size()});
        return addressOf(decoded_.data());
    }

    double read(const std::string& name, const std::string& format, const std::string& options, bool strict, bool tangents) {
        Diagnostics diagnostics(strict);
        Scene& scene = *new Scene;  // never freed, because the destructor would add 3 KB of wasm
        OpenResult result;
        if (begin()) {
            const Value parsed = parseJson(options);
            const Vector<Supplied> supplied = suppliedFiles();
            result = openScene({input_.bytes(), name, &parsed, supplied, tangents, source_ ? &*source_ : nullptr, clip_}, format, scene,
                               *arena_, diagnostics);
            format_ = result.format;
        } else {
            diagnostics.add(Code::OUT_OF_MEMORY, {}, "the file itself does not fit");
        }
        const auto describeIt = [&](const Scene* what) {
            if (!what) {
                arena_.emplace(blocks_);  // drops all blocks; nothing refers to them any more
                budget_->extend(roomForReport);
            }
            description_ = describe(what, scene.references, *arena_, diagnostics, result.format ? result.format->id : "", result.version);
        };
        describeIt(result.hasScene ? &scene : nullptr);
        if (arena_->exhausted()) {  // the memory did not suffice for the tables
            diagnostics.add(Code::OUT_OF_MEMORY);
            describeIt(nullptr);
        }
        return resultAddress();
    }

    /// Returns a cost of reading the file: the peak memory in bytes (`which` 0), the total
    /// allocated bytes (1) or the steps of work (2). Allocates nothing, because the memory may be
    /// exhausted.
    double cost(int which) const {
        if (!budget_) return 0;
        return static_cast<double>(which == 0 ? budget_->peak() : which == 1 ? budget_->allocated() : budget_->steps());
    }

    double outline(const std::string& name, const std::string& format, const std::string& options) {
        Diagnostics diagnostics;
        Outline outline;
        OpenResult result;
        if (begin()) {
            const Value parsed = parseJson(options);
            const Vector<Supplied> supplied = suppliedFiles();
            result = openOutline({input_.bytes(), name, &parsed, supplied}, format, outline, diagnostics);
        } else {
            diagnostics.add(Code::OUT_OF_MEMORY, {}, "the file itself does not fit");
        }
        if (Budget::exhausted()) {
            outline.clear();
            budget_->extend(roomForReport);
        }
        description_ =
            describeOutline(outline, result.references, *arena_, diagnostics, result.format ? result.format->id : "", result.version);
        return resultAddress();
    }

private:
    double take(Buffer& buffer, double byteLength) {
        room_ += static_cast<double>(buffer.size);
        buffer.resize(byteLength, room_);
        room_ -= static_cast<double>(buffer.size);
        return buffer.ok ? addressOf(buffer.data) : 0;
    }

    /// Returns the address of a table of 32-bit words: address and size of the description (UTF-8
    /// JSON, scene/describe.hpp), the format number for `decodeColumn`, and the number of blocks.
    /// For each block: address and size of its decode parameters, the number of pieces, and address
    /// and size of each piece. The pieces of a block are contiguous. A piece with address 0 is
    /// deferred or, if the block has no decode parameters, was written by `writeBlock`.
    double resultAddress() {
        const auto putMemory = [&](const void* data, std::size_t size) {
            words_.push_back(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data)));
            words_.push_back(static_cast<std::uint32_t>(size));
        };
        putMemory(description_.data(), description_.size());
        const FormatList formats = allFormats();
        const auto isOwn = [&](const FormatEntry& entry) { return entry.format == format_; };
        words_.push_back(static_cast<std::uint32_t>(std::find_if(formats.begin(), formats.end(), isOwn) - formats.begin()));
        words_.push_back(static_cast<std::uint32_t>(arena_->blocks().size()));
        for (const Arena::Block& block : arena_->blocks()) {
            putMemory(block.parameters.data(), block.parameters.size());
            words_.push_back(static_cast<std::uint32_t>(block.pieces.size()));
            for (const Arena::Piece& piece : block.pieces) putMemory(piece.data.get(), piece.size);
        }
        return addressOf(words_.data());
    }

    /// Starts the budget. Returns false if the input or a companion file exceeds the memory limit.
    bool begin() {
        double size = static_cast<double>(input_.size);
        bool fits = input_.ok;
        for (const Companion& file : companions_) {
            size += static_cast<double>(file.buffer.size);
            fits = fits && file.buffer.ok;
        }
        const auto bytes = static_cast<std::uint64_t>(size);
        const auto room = static_cast<std::uint64_t>(room_);
        budget_.emplace(isMemoryGiven_ ? room : std::min(room, Budget::memoryFor(bytes)),
                        maxWork_ > 0 ? static_cast<std::uint64_t>(std::min(maxWork_, 0x1p63)) : Budget::workFor(bytes));
        if (!fits) budget_->extend(roomForReport);
        arena_.emplace(blocks_);
        return fits;
    }

    Vector<Supplied> suppliedFiles() const {
        Vector<Supplied> files;
        for (const Companion& companion : companions_) files.push_back({companion.kind, companion.name, companion.buffer.bytes()});
        return files;
    }

    static constexpr double most = static_cast<double>(Budget::mostMemory);
    // Additional memory in bytes for the report if the memory is exhausted. It suffices for
    // hundreds of findings, because their length is limited.
    static constexpr std::uint64_t roomForReport = 4u << 20;

    double room_;  // bytes left for input, companion files and results
    bool isMemoryGiven_;
    double maxWork_;
    Buffer input_;
    std::optional<ExternalFile> source_;
    std::uint32_t clip_ = everyClip;
    const Format* format_ = nullptr;
    Vector<float> decoded_;
    Vector<Companion> companions_;
    std::optional<Budget> budget_;
    JavaScriptBuffers blocks_;
    std::optional<Arena> arena_;
    std::string description_;
    Vector<std::uint32_t> words_;
};

/// Identifies a file. Returns "format role wanted". `wanted` is the offset of further bytes without
/// which the result is uncertain, or 0. `pieces` contains the start of the file and all ranges
/// requested by previous calls, each preceded by its offset and length as 64-bit floats.
std::string probeFile(const std::string& name, double size, const std::string& pieces) {
    Vector<Pieces::Piece> list;
    Reader reader({reinterpret_cast<const std::uint8_t*>(pieces.data()), pieces.size()});
    while (reader.remaining()) {
        const auto offset = static_cast<std::uint64_t>(reader.read<double>());
        const auto length = static_cast<std::uint64_t>(reader.read<double>());
        list.push_back({offset, reader.bytes(length)});
    }
    Pieces given(list);
    const Probe found = probe(given, static_cast<std::uint64_t>(size), name);
    return formatted("{} {} {}", {found.format ? found.format->id : "", nameOf(found.role), given.wanted});
}

/// Returns how to read a file that starts with `head`, as "family isLinked outside". `family` names
/// the module that contains the file's reader; it is empty if no format matches. `isLinked` is 1 if
/// the current module is that module. `outside` indicates whether the file can stay outside the
/// heap: 0 if it cannot, 1 if it can, 2 if it can but must remain available until all deferred
/// columns are decoded, 3 if the reader can also read a single clip.
std::string plan(const std::string& name, const std::string& format, const std::string& head, double size) {
    const Bytes bytes(reinterpret_cast<const std::uint8_t*>(head.data()), head.size());
    const auto length = static_cast<std::uint64_t>(size);
    const FormatEntry* const own = knownFormat(bytes, length, name, format);
    const FormatEntry* const indexed = indexedFormat(bytes, length, name, format);
    return formatted("{} {} {}", {own ? own->format->family : "", own && own->reader ? 1 : 0,
                                  !indexed                       ? 0
                                  : indexed->reader->canReadClip ? 3
                                  : indexed->reader->decode      ? 2
                                                                 : 1});
}

bool heapSpent() { return isHeapSpent; }

/// The only session, because an instance reads one file. Exporting the class with embind instead
/// would add 3 KB of JavaScript.
std::optional<Session> session;

}  // namespace

EMSCRIPTEN_BINDINGS(rigcast) {
    std::set_new_handler([] {
        isHeapSpent = true;
        std::abort();
    });
    emscripten::function(
        "start", +[](double maxMemory, double maxWork) { session.emplace(maxMemory, maxWork); });
    emscripten::function(
        "input", +[](double byteLength) { return session->input(byteLength); });
    emscripten::function(
        "supply", +[](const std::string& kind, const std::string& name, double size) { return session->supply(kind, name, size); });
    emscripten::function(
        "useExternalFile", +[](double byteLength) { return session->useExternalFile(byteLength); });
    emscripten::function(
        "selectClip", +[](double clip) { session->selectClip(clip); });
    emscripten::function(
        "decodeColumn", +[](double format, const std::string& parameters, double count) {
            if (!session) session.emplace(0, 0);
            return session->decodeColumn(format, parameters, count);
        });
    emscripten::function(
        "readScene", +[](const std::string& name, const std::string& format, const std::string& options, bool strict, bool tangents) {
            return session->read(name, format, options, strict, tangents);
        });
    emscripten::function(
        "outline", +[](const std::string& name, const std::string& format, const std::string& options) {
            return session->outline(name, format, options);
        });
    emscripten::function(
        "cost", +[](double which) { return session->cost(static_cast<int>(which)); });
    emscripten::function("probe", &probeFile);
    emscripten::function("plan", &plan);
    emscripten::function("heapSpent", &heapSpent);
}

}  // namespace rigcast
