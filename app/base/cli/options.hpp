// The command line of a program, with an input file under it: declared once, read strictly.
#pragma once

#include "app/base/cli/numbers.hpp"
#include "app/base/record/record.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// CLI11's header takes the compiler 3 s: only files that call its functions include it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace memstencil {

enum class Format { Text, Json };
std::string_view name(Format format);
/// For choices among numbers.
inline std::string name(int number) { return std::to_string(number); }

/// The options of every program.
struct CommonOptions {
  std::string output;  ///< a file, or a folder; empty: none
  bool force = false;
  std::string label;  ///< empty: none
  Format format = Format::Text;
  bool verbose = false;
  bool quiet = false;
  std::string input;  ///< empty: none
};

/// The subject of these in --help: it comes last.
inline constexpr const char* output_subject = "Output and input";

/// Programs that write results take --output and the --format of a record; others read and show.
enum class Writes { Results, Nothing };

template <class T>
T value_of(const T&);
template <class T>
T value_of(const std::optional<T>&);

/// Declares options of CLI11 that are read as strictly as numbers.hpp does, and reads them from
/// argv and from the input file that argv names.
///
/// Each option is declared with its long name ("--size"; a name without dashes is a positional) and
/// the variable that takes its value; the variable's value at that moment is the default. Each line
/// of its help after the first explains a value. In the input file it stands under the name without
/// dashes. The command line wins: an option there replaces the file's, and removes the file's
/// options that it excludes (CLI::Option::excludes).
class CommandLine {
public:
  using Show = std::function<Record()>;

  /// `version`: what --version prints, without a newline. Declares the common options.
  CommandLine(const std::string& program, const std::string& description,
              const std::string& version, Writes writes = Writes::Results);
  ~CommandLine();

  const std::string& program() const { return program_; }
  /// Options declared from here on stand under this subject in --help.
  void subject(const std::string& title) { subject_ = title; }
  /// The end of --help: a command that does something, and what that is.
  void example(const std::string& command, const std::string& meaning);

  /// An integer within [low, high]; `target` is of any integral type, or an optional one.
  template <class Target>
  CLI::Option* integer(const std::string& option, Target& target, std::int64_t low,
                       std::int64_t high, const std::string& help) {
    const std::string text = ranged(help, static_cast<double>(low), static_cast<double>(high));
    return one(option, "N", target, text, [low, high](const std::string& typed) {
      return static_cast<decltype(value_of(target))>(parse_integer(typed, low, high));
    });
  }
  /// A finite number within [low, high]; `target` is a double or an optional one.
  template <class Target>
  CLI::Option* real(const std::string& option, Target& target, double low, double high,
                    const std::string& help) {
    return one(option, "X", target, ranged(help, low, high),
               [=](const std::string& typed) { return parse_real(typed, low, high); });
  }
  /// A text that is not empty.
  CLI::Option* text(const std::string& option, std::string& target, const std::string& help) {
    return one(option, "TEXT", target, help, [](const std::string& typed) { return typed; });
  }
  /// One text each time the option is given; a positional takes any number.
  CLI::Option* texts(const std::string& option, std::vector<std::string>& target,
                     const std::string& help);
  CLI::Option* flag(const std::string& option, bool& target, const std::string& help);
  /// One of the values, each under name(value); `target` is such a value, or an optional one.
  template <class Target, class E, std::size_t N>
  CLI::Option* choice(const std::string& option, Target& target, const std::array<E, N>& values,
                      const std::string& help) {
    std::vector<std::string> names;
    for (const E& each : values) names.emplace_back(name(each));
    return one(option, joined(names), target, help, [values, names](const std::string& typed) {
      return values[index_of(typed, names)];
    });
  }
  /// The same with a name for an empty target.
  template <class E, std::size_t N>
  CLI::Option* choice_or(const std::string& empty, const std::string& option,
                         std::optional<E>& target, const std::array<E, N>& values,
                         const std::string& help) {
    std::vector<std::string> names{empty};
    for (const E& each : values) names.emplace_back(name(each));
    return custom(
        option, joined(names),
        [&target, values, names](const std::string& typed) {
          const std::size_t n = index_of(typed, names);
          target = n == 0 ? std::optional<E>() : values[n - 1];
        },
        [&target, empty] { return target ? std::string(name(*target)) : empty; }, help);
  }
  /// A text of the program's own form: `read` stores it, and throws any std::exception that says
  /// what is valid; `show_value` gives the value that options() is to report: null for an empty
  /// text, which no option takes.
  CLI::Option* custom(const std::string& option, const std::string& placeholder,
                      const std::function<void(const std::string&)>& read, const Show& show_value,
                      const std::string& help);
  /// The index of a typed name, in any case of letters, for custom().
  /// @throws std::invalid_argument "'x' is not one of a, b", with the nearest name
  static std::size_t index_of(const std::string& typed, const std::vector<std::string>& names);

  /// Reads argv and the input file. Returns the text that --help or --version asks for (print it
  /// and end with 0), or nothing.
  /// @throws Failure(Usage), one line that names the offender and what is valid
  std::optional<std::string> parse(int argc, const char* const* argv);

  const CommonOptions& common() const { return common_; }
  /// {name: value} of every declared option after parse(), given or default; null for one without.
  Record options() const;
  /// The option's name in messages: as on the command line, or as in the line of the input file.
  std::string where(const std::string& option) const;

private:
  template <class T>
  static Record shown(const T& value) {
    if constexpr (requires { *value; })
      return value ? shown(*value) : Record();
    else if constexpr (std::is_enum_v<T>)
      return std::string(name(value));
    else
      return value;
  }
  template <class Target, class Read>
  CLI::Option* one(const std::string& option, const std::string& placeholder, Target& target,
                   const std::string& help, Read read) {
    return custom(
        option, placeholder, [&target, read](const std::string& typed) { target = read(typed); },
        [&target] { return shown(target); }, help);
  }
  /// An option whose values `read` takes, and `value` shows.
  CLI::Option* declare(const std::string& option, const std::string& placeholder,
                       const std::function<void(const std::vector<std::string>&)>& read, Show value,
                       const std::string& help);
  static std::string joined(const std::vector<std::string>& names);
  /// The help with the range at the end of its first line, before a default that it names.
  static std::string ranged(std::string help, double low, double high);

  /// The long names of the options that are no positionals, without dashes.
  std::vector<std::string> option_names() const;
  void read_arguments(int argc, const char* const* argv);
  /// Options that argv has not given, nor given one that excludes them.
  void read_input_file();
  void check_excluded() const;
  void check_unknown() const;
  [[noreturn]] void refuse(const std::string& line) const;

  std::string program_, subject_;
  std::unique_ptr<CLI::App> app_;
  CommonOptions common_;
  std::vector<std::pair<std::string, Show>> values_;  ///< by name without dashes
  std::map<std::string, unsigned> lines_;             ///< of the input file, by option that it gave
};

}  // namespace memstencil
