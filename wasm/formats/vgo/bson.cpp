#include "formats/vgo/bson.hpp"

#include "core/reader.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/vgo/base64.hpp"

namespace rigcast {

namespace {

enum Type : std::uint8_t {
    doubleType = 0x01,
    stringType = 0x02,
    documentType = 0x03,
    arrayType = 0x04,
    binaryType = 0x05,
    boolType = 0x08,
    nullType = 0x0A,
    int32Type = 0x10,
    int64Type = 0x12,
};

/// Parser without recursion, so that deeply nested files cannot overflow the stack.
class BsonReader {
public:
    BsonReader(Bytes bytes, std::size_t depth) : reader_(bytes), builder_(depth) {}

    Tree read() {
        const bool good = document(Properties{}) && members() && reader_.remaining() == 0;
        if (good) return {.root = builder_.take(), .fraction = fraction_};
        const TreeError error = builder_.error() == TreeError::none ? TreeError::syntax : builder_.error();
        return {.error = error, .offset = reader_.failed() ? started_ : reader_.position()};
    }

private:
    /// Returns the end of the innermost open document.
    std::size_t end() const { return ends_.empty() ? reader_.size() : ends_.back(); }

    /// Opens a BSON document or array. The stored length includes the length field and the closing
    /// NUL.
    bool document(Value container) {
        const std::size_t start = reader_.position();
        const auto length = reader_.read<std::int32_t>();
        if (reader_.failed() || length < 5 || static_cast<std::size_t>(length) > end() - start) return false;
        if (!builder_.begin(std::move(container))) return false;
        ends_.push_back(start + static_cast<std::size_t>(length));
        return true;
    }

    bool members() {
        while (!ends_.empty()) {
            started_ = reader_.position();
            if (started_ >= end()) return false;  // no closing NUL
            const auto type = reader_.read<std::uint8_t>();
            if (type == 0) {
                if (reader_.position() != end()) return false;
                ends_.pop_back();
                builder_.end();
                continue;
            }
            const Bytes rest = reader_.all().subspan(reader_.position(), end() - reader_.position());
            const auto nul = static_cast<const std::uint8_t*>(rest.empty() ? nullptr : std::memchr(rest.data(), 0, rest.size()));
            if (!nul) return false;
            const auto length = static_cast<std::size_t>(nul - rest.data());
            if (!builder_.inList()) builder_.key(repairUtf8(asText(rest.first(length))));
            reader_.skip(length + 1);
            if (!value(type) || reader_.failed() || reader_.position() > end()) return false;
        }
        return true;
    }

    bool value(std::uint8_t type) {
        switch (type) {
            case doubleType:
                if (!fraction_) fraction_ = reader_.position();
                return builder_.add(reader_.read<double>());
            case stringType: {
                const Bytes text = sized(1);
                return !text.empty() && text.back() == 0 && builder_.add(repairUtf8(asText(text.first(text.size() - 1))));
            }
            case documentType:
                return document(Properties{});
            case arrayType:
                return document(Vector<Value>{});
            case binaryType: {
                const std::uint64_t length = reader_.read<std::uint32_t>();
                reader_.skip(1);  // subtype
                return length <= end() - std::min(end(), reader_.position()) && builder_.add(toBase64(reader_.bytes(length)));
            }
            case boolType:
                return builder_.add(reader_.read<std::uint8_t>() != 0);
            case nullType:
                return builder_.add(Value{});
            case int32Type:
                return builder_.add(reader_.read<std::int32_t>());
            case int64Type:
                return builder_.add(static_cast<double>(reader_.read<std::int64_t>()));
            default:
                return false;
        }
    }

    /// Reads a length, then that number of bytes. Returns an empty span if the length is below
    /// `least` or exceeds the parent document.
    Bytes sized(std::int32_t least) {
        const auto length = reader_.read<std::int32_t>();
        const std::size_t left = end() - std::min(end(), reader_.position());
        if (length < least || static_cast<std::size_t>(length) > left) return {};
        return reader_.bytes(static_cast<std::uint64_t>(length));
    }

    Reader reader_;
    ValueBuilder builder_;
    Vector<std::size_t> ends_;
    std::size_t started_ = 0;  // start of the current element
    std::optional<std::uint64_t> fraction_;
};

}  // namespace

Tree readBson(Bytes bytes, std::size_t depth) { return BsonReader(bytes, depth).read(); }

}  // namespace rigcast
