// Tests that reports about unsupported files name the format and give specific advice.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/registry.hpp"

namespace rigcast {
namespace {

using namespace std::string_literals;

struct Report {
    std::vector<std::string> codes;
    std::string detail;
};

Report reportOf(const std::string& content, std::string_view name = "hero.psk") {
    Diagnostics diagnostics;
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(content.data()), content.size()};
    EXPECT_EQ(chooseFormat(bytes, name, "", diagnostics), nullptr) << content.substr(0, 20);
    Report reported;
    for (const Finding& finding : diagnostics.findings()) {
        reported.codes.push_back(infoOf(finding.code).name);
        reported.detail = finding.detail;
    }
    return reported;
}

void expectFindings(const std::string& content, const char* code, const char* words) {
    const Report reported = reportOf(content);
    EXPECT_EQ(reported.codes, std::vector<std::string>{code}) << content.substr(0, 20);
    EXPECT_NE(reported.detail.find(words), std::string::npos) << reported.detail;
}

TEST(Foreign, IdentifiesFailedDownloads) {
    expectFindings("", "EMPTY_FILE", "Get it again");
    expectFindings(std::string(1, '\0'), "ALL_ZEROS", "Get it again");
    expectFindings(std::string(100'000, '\0'), "ALL_ZEROS", "100000 bytes");
    expectFindings("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "UNKNOWN_FORMAT", "git lfs pull");
    EXPECT_EQ(reportOf(std::string(100'000, '\0') + "x").codes, std::vector<std::string>{"UNKNOWN_FORMAT"});
}

TEST(Foreign, IdentifiesTexts) {
    for (const char* text : {"[1, 2]", "{}", "{\"asset\": 1}", "{\"version\": 1}", "[{\"version\": 1}]", "\xef\xbb\xbf{}"})
        expectFindings(text, "UNKNOWN_FORMAT", "JSON");
    expectFindings("<?xml version='1.0'?><a/>", "UNKNOWN_FORMAT", "XML");
    for (const char* text : {"  \n ", "<COLLADO>", "words"}) expectFindings(text, "UNKNOWN_FORMAT", "supported formats");
}

TEST(Foreign, IdentifiesWebPages) {
    for (const char* page : {"<!DOCTYPE html><title>Sign in</title>", "\r\n  <html lang=en>", "\xef\xbb\xbf<!doctype HTML>", "<HEAD>",
                             "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>"})
        expectFindings(page, "HTML_PAGE", "page instead of the file");
}

TEST(Foreign, IdentifiesOtherFormats) {
    const std::pair<std::string, const char*> rows[] = {
        {"PK\x03\x04\x14\0"s, "ZIP archive. Unpack it"},
        {"\x1f\x8b\x08"s, "Unpack it"},
        {"7z\xbc\xaf\x27\x1c"s, "Unpack it"},
        {"Kaydara FBX Binary  \0\x1a\0"s, "FBXLoader"},
        {"; FBX 7.3.0 project file"s, "FBXLoader"},
        {"glTF\x02\0\0\0"s, "GLTFLoader"},
        {"{ \"asset\": { \"version\": \"2.0\" }, \"scenes\": [] }"s, "GLTFLoader"},
        {"{\"version\": 2, \"width\": 80, \"height\": 24}\n[0.1, \"o\", \"hello\"]\n"s, "asciinema"},
        {"HIERARCHY\nROOT Hips"s, "BVHLoader"},
        {"BLENDER-v300"s, "Blender"},
        {"\xc1\x83\x2a\x9e\xf9\xff\xff\xff"s, "UE Viewer"},
        {"\x89PNG\r\n\x1a\n"s, "image"},
        {"<?xml version=\"1.0\"?><COLLADA>"s, "ColladaLoader"},
        {"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"s, "XML"},
        {"{\"error\": \"not found\"}"s, "JSON"},
    };
    for (const auto& [content, words] : rows) expectFindings(content, "UNKNOWN_FORMAT", words);
}

TEST(Foreign, UnknownFilesListTheSupportedFormats) {
    for (const std::string& content : {"once upon a time"s, "\x01"s, "P"s, "gl"s, "<"s, "[1"s.substr(1)})
        expectFindings(content, "UNKNOWN_FORMAT", "supported formats: ");
}

}  // namespace
}  // namespace rigcast
