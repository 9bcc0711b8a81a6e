// The command line of a program, with an input file under it: declared once, read strictly.
#pragma once

#include "app/base/cli/input_file.hpp"
#include "app/base/cli/numbers.hpp"
#include "app/base/record/record.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// CLI11's header takes the compiler 3 s: only files that call its functions include it.
namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace memstencil {

enum class Format { Text, Json, Csv };
std::string_view name(Format format);

/// The options of every program.
struct CommonOptions {
  std::string output;  ///< a file, or a folder; empty: none
  bool force = false;
  std::string label;  ///< empty: none
  Format format = Format::Text;
  bool quiet = false;
  std::string input;  ///< empty: none
};

/// Programs that write results take --output and the --format of a record; others read and show.
enum class Writes { Results, Nothing };

/// Declares options, then reads them from argv and from the input file that argv names.
///
/// Each option is declared with its long name ("--size"; a name without dashes is a positional) and
/// the variable that takes its value; the variable's value at that moment is the default. In the
/// input file it stands under the name without dashes. The command line wins: an option there
/// replaces the file's, and removes the file's options that it excludes (CLI::Option::excludes).
class CommandLine {
public:
  /// `version`: what --version prints, without a newline. Declares the common options.
  CommandLine(const std::string& program, const std::string& description,
              const std::string& version, Writes writes = Writes::Results);
  ~CommandLine();

  const std::string& program() const { return program_; }
  /// Options declared from here on stand under this subject in --help.
  void subject(const std::string& title) { subject_ = title; }
  /// The end of --help: a command that does something, and what that is.
  void example(const std::string& command, const std::string& meaning);

  /// An integer within [low, high].
  template <std::integral T>
  CLI::Option* integer(const std::string& option, T& target, T low, T high,
                       const std::string& help) {
    return add_integer(option, low, high, help, store_in(target), show(target));
  }
  template <std::integral T>
  CLI::Option* integer(const std::string& option, std::optional<T>& target, T low, T high,
                       const std::string& help) {
    return add_integer(option, low, high, help, store_in(target), show(target));
  }
  /// A finite number within [low, high]; `target` is a double or an optional one.
  template <class Target>
  CLI::Option* real(const std::string& option, Target& target, double low, double high,
                    const std::string& help) {
    const auto read = [&target, low, high](const Values& typed) {
      target = parse_real(typed.back(), low, high);
    };
    return declare(option, ValueKind::Real, "X", read, show(target), help);
  }
  /// A text that is not empty.
  CLI::Option* text(const std::string& option, std::string& target, const std::string& help);
  /// One text each time the option is given; a positional takes any number.
  CLI::Option* texts(const std::string& option, std::vector<std::string>& target,
                     const std::string& help);
  CLI::Option* flag(const std::string& option, bool& target, const std::string& help);
  /// One of the values, each under name(value).
  template <class E, std::size_t N>
  CLI::Option* choice(const std::string& option, E& target, const std::array<E, N>& values,
                      const std::string& help) {
    return add_choice(option, target, values, help,
                      [&target] { return Record(std::string(name(target))); });
  }
  template <class E, std::size_t N>
  CLI::Option* choice(const std::string& option, std::optional<E>& target,
                      const std::array<E, N>& values, const std::string& help) {
    return add_choice(option, target, values, help,
                      [&target] { return target ? Record(std::string(name(*target))) : Record(); });
  }
  /// The place of a name that was typed, for custom().
  /// @throws std::invalid_argument "'x' is not one of a, b", with the nearest name
  static std::size_t index_of(const std::string& typed, const std::vector<std::string>& names);
  /// A text of the program's own form: `read` stores it, and throws any std::exception that says
  /// what is valid; `show_value` gives the text that options() is to report.
  CLI::Option* custom(const std::string& option, const std::string& placeholder,
                      std::function<void(const std::string&)> read,
                      std::function<std::string()> show_value, const std::string& help);

  /// Reads argv and the input file. Returns the text that --help or --version asks for (print it
  /// and end with 0), or nothing.
  /// @throws Failure(Usage), one line that names the offender and what is valid
  std::optional<std::string> parse(int argc, const char* const* argv);

  const CommonOptions& common() const { return common_; }
  /// {name: value} of every declared option after parse(), given or default; null for one without.
  Record options() const;

private:
  struct Declared {
    CLI::Option* option = nullptr;
    ValueKind kind = ValueKind::Text;
    std::function<Record()> value;
  };
  using Values = std::vector<std::string>;
  using Read = std::function<void(const Values&)>;
  using Show = std::function<Record()>;

  template <class Target>
  static std::function<void(std::int64_t)> store_in(Target& target) {
    if constexpr (std::integral<Target>)
      return [&target](std::int64_t value) { target = static_cast<Target>(value); };
    else
      return [&target](std::int64_t value) {
        target = static_cast<typename Target::value_type>(value);
      };
  }
  template <class Target>
  static Show show(Target& target) {
    return [&target] { return Record(target); };
  }
  template <class Value>
  static Show show(std::optional<Value>& target) {
    return [&target] { return or_null(target); };
  }
  template <class Target, class E, std::size_t N>
  CLI::Option* add_choice(const std::string& option, Target& target, const std::array<E, N>& values,
                          const std::string& help, const Show& value) {
    std::vector<std::string> names;
    for (const E& each : values) names.emplace_back(name(each));
    const auto read = [&target, values, names](const Values& typed) {
      target = values[index_of(typed.back(), names)];
    };
    return declare(option, ValueKind::Text, joined(names), read, value, help);
  }
  CLI::Option* add_integer(const std::string& option, std::int64_t low, std::int64_t high,
                           const std::string& help, std::function<void(std::int64_t)> store,
                           Show value);
  CLI::Option* declare(const std::string& option, ValueKind kind, const std::string& placeholder,
                       Read read, Show value, const std::string& help);
  static std::string without_dashes(const std::string& option);
  static std::string joined(const std::vector<std::string>& names);

  void declare_output();
  void parse_arguments(const std::vector<std::string>& arguments);
  void refuse_unknown() const;
  [[noreturn]] void explain(const CLI::ParseError& error,
                            const std::vector<std::string>& arguments) const;
  std::vector<std::string> file_arguments(std::vector<InputEntry> entries);
  const Declared& declared_key(const InputEntry& entry) const;
  // What these remove is told by refuse_wrong(): unknown keys and values of another type; of two
  // keys that exclude each other, the one further down.
  void remove_wrong(std::vector<InputEntry>& entries);
  void remove_excluded(std::vector<InputEntry>& entries);
  /// @throws Failure(Usage) with all that is wrong in the input file, in one line
  void refuse_wrong() const;
  /// The names of all options, without dashes.
  std::vector<std::string> option_names() const;
  /// The option's name in messages: as on the command line, or as in the line of the input file.
  std::string where(const std::string& option) const;

  std::string program_, subject_;
  std::unique_ptr<CLI::App> app_;
  CommonOptions common_;
  std::vector<std::string> order_;
  std::map<std::string, Declared> declared_;  ///< by name without dashes
  std::map<std::string, unsigned>
      from_file_;  ///< options taken from the input file, and their lines
  std::multimap<unsigned, std::string> wrong_;  ///< in the input file, by line
};

}  // namespace memstencil
