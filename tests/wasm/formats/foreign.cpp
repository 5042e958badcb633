// Unsupported files: the report names their format and gives specific advice.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/registry.hpp"

namespace rigcast {
namespace {

using namespace std::string_literals;

struct Told {
    std::vector<std::string> codes;
    std::string detail;
};

Told tell(const std::string& content, std::string_view name = "hero.psk") {
    Diagnostics diagnostics;
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(content.data()), content.size()};
    EXPECT_EQ(chooseFormat(bytes, name, "", diagnostics), nullptr) << content.substr(0, 20);
    Told told;
    for (const Finding& finding : diagnostics.findings()) {
        told.codes.push_back(infoOf(finding.code).name);
        told.detail = finding.detail;
    }
    return told;
}

void expectTold(const std::string& content, const char* code, const char* words) {
    const Told told = tell(content);
    EXPECT_EQ(told.codes, std::vector<std::string>{code}) << content.substr(0, 20);
    EXPECT_NE(told.detail.find(words), std::string::npos) << told.detail;
}

TEST(Foreign, FilesThatDidNotArrive) {
    expectTold("", "EMPTY_FILE", "Get it again");
    expectTold(std::string(1, '\0'), "ALL_ZEROS", "Get it again");
    expectTold(std::string(100'000, '\0'), "ALL_ZEROS", "100000 bytes");
    expectTold("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "UNKNOWN_FORMAT", "git lfs pull");
    EXPECT_EQ(tell(std::string(100'000, '\0') + "x").codes, std::vector<std::string>{"UNKNOWN_FORMAT"});
}

TEST(Foreign, TextsOfNoModel) {
    for (const char* text : {"[1, 2]", "{}", "{\"asset\": 1}", "{\"version\": 1}", "[{\"version\": 1}]", "\xef\xbb\xbf{}"})
        expectTold(text, "UNKNOWN_FORMAT", "JSON");
    expectTold("<?xml version='1.0'?><a/>", "UNKNOWN_FORMAT", "XML");
    for (const char* text : {"  \n ", "<COLLADO>", "words"}) expectTold(text, "UNKNOWN_FORMAT", "supported formats");
}

TEST(Foreign, WebPages) {
    for (const char* page : {"<!DOCTYPE html><title>Sign in</title>", "\r\n  <html lang=en>", "\xef\xbb\xbf<!doctype HTML>", "<HEAD>",
                             "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>"})
        expectTold(page, "HTML_PAGE", "page instead of the file");
}

TEST(Foreign, FormatsOfOthers) {
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
    for (const auto& [content, words] : rows) expectTold(content, "UNKNOWN_FORMAT", words);
}

TEST(Foreign, WhatNothingTellsNamesWhatWasLookedFor) {
    for (const std::string& content : {"once upon a time"s, "\x01"s, "P"s, "gl"s, "<"s, "[1"s.substr(1)})
        expectTold(content, "UNKNOWN_FORMAT", "supported formats: ");
}

}  // namespace
}  // namespace rigcast
