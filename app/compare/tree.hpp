// Members of a result's record by their path; one that is missing, or of another type, is named.
#pragma once

#include "app/base/record/record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

/// The member "limit.fraction"; null where there is none, or where it is null.
const Record* find(const Record& record, std::string_view path);

/// @throws Failure(Other) "'limit.fraction' is missing", "is no number", ...
const Record& member(const Record& record, std::string_view path);
double number(const Record& record, std::string_view path);
std::optional<double> number_if(const Record& record, std::string_view path);
/// `otherwise` where there is none.
double number_or(const Record& record, std::string_view path, double otherwise);
/// A scalar as text.
std::string text(const Record& record, std::string_view path);
std::string text_or(const Record& record, std::string_view path, const std::string& otherwise = "");
/// Numbers; none where there is no such member.
std::vector<double> numbers(const Record& record, std::string_view path);

}  // namespace memstencil::compare
