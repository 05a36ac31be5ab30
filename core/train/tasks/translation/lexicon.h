#pragma once
#include <span>
#include <string_view>

/// The words of the `translate` corpus in English and German, with what grammar has to know of them. Tables
/// of constants: everything points into them.
namespace glassformer::translation {

enum class Gender { Masculine, Feminine, Neuter };
enum class Case { Nominative, Accusative, Dative };

/// Sorts of things, one bit each: a noun names its own, verbs and adjectives all that they go with.
using Sorts = unsigned;
namespace sort {
inline constexpr Sorts person = 1 << 0, animal = 1 << 1, reading = 1 << 2, written = 1 << 3, tale = 1 << 4,
                       food = 1 << 5, cooked = 1 << 6, opening = 1 << 7, clothes = 1 << 8, device = 1 << 9,
                       vehicle = 1 << 10, furniture = 1 << 11, room = 1 << 12, area = 1 << 13,
                       small = 1 << 14, path = 1 << 15, water = 1 << 16, ground = 1 << 17, barrier = 1 << 18;
inline constexpr Sorts alive = person | animal, place = room | area;
inline constexpr Sorts obstacle = path | water | ground | barrier;
inline constexpr Sorts thing = reading | food | opening | clothes | device | vehicle | furniture | small;
}  // namespace sort

struct Noun {
  std::string_view english, englishPlural, german, germanPlural;
  Gender gender = Gender::Masculine;
  Sorts sorts = 0;
  bool weak = false;  ///< takes its plural's form in accusative and dative: der Junge, den Jungen
};

struct Adjective {
  std::string_view english, german;
  std::string_view stem;  ///< what German endings are put to: teuer, teur-e
  Sorts sorts = 0;
  std::string_view englishComparative, germanComparative;  ///< bigger, größer; empty: not used
  bool hinders = false;  ///< "too tired", "too wide": keeps somebody from crossing something
};

struct EnglishVerb {
  std::string_view base, third, past, participle;
  std::string_view gerund;       ///< empty: has no progressive (know, like)
  std::string_view particle;     ///< "on" of "turn on"
  std::string_view preposition;  ///< before its dative or prepositional object: "listen to", "wait for"
};

enum class Auxiliary { Haben, Sein };

struct GermanVerb {
  std::string_view infinitive, third;  ///< without the prefix: machen, macht
  std::string_view participle;         ///< with it: aufgemacht
  std::string_view prefix;             ///< of a separable verb: auf
  Auxiliary auxiliary = Auxiliary::Haben;
  std::string_view preterite;  ///< where the past is told with it and not with the perfect: war, hatte
  std::string_view first;      ///< with ich, where it is not the infinitive less its n: weiß
  std::string_view plural;     ///< where it is not the infinitive: sind
};

/// Which objects a verb takes; the names are the German side's.
enum class Frame {
  Plain,                ///< Anna schläft
  Accusative,           ///< Anna kauft das Buch
  Dative,               ///< Anna hilft dem Kind
  Recipient,            ///< Anna gibt dem Kind das Buch
  Preposition,          ///< Anna wartet auf den Zug
  Direction,            ///< Anna geht in den Garten
  AccusativeDirection,  ///< Anna legt das Buch auf den Tisch
  Clause,               ///< Anna sagt, dass ...; Anna fragt, ob ...
  Infinitive,           ///< Anna versucht, das Buch zu lesen
  Weather,              ///< Es regnet
  Copula,               ///< Der Hund ist müde
};

/// Where a verb of direction leads, or a thing is put.
enum class Way { None, Travel, Jump, Put };

struct Verb {
  EnglishVerb english;
  GermanVerb german;
  Frame frame = Frame::Plain;
  Sorts subject = 0, object = 0;
  Sorts recipient = sort::person;     ///< of Frame::Recipient
  std::string_view preposition = {};  ///< of Frame::Preposition: auf
  Case governs = Case::Accusative;    ///< of that preposition
  Way way = Way::None;
  bool doubleObject = true;  ///< of Frame::Recipient: "gives the child the book" and not only "to the child"
};

struct Modal {
  EnglishVerb english;
  GermanVerb german;
  bool auxiliary = false;  ///< "can buy", not "wants to buy"
};

/// A wording in both languages that never changes. `|` cuts it into pieces, the same number on both sides; a
/// piece is the translation of the piece at its place: "in the|morning" and "am|Morgen".
struct Phrase {
  std::string_view english, german;
};

enum class Tense { Present, Progressive, Past, Perfect, Future };

struct TimePhrase {
  Phrase phrase;
  unsigned tenses = 0;  ///< bits 1 << Tense
};

struct PlacePreposition {
  std::string_view english, german;
  Case governs = Case::Dative;
  Sorts sorts = 0;  ///< of what can follow
};

std::span<const Noun> nouns();
std::span<const std::string_view> names();
std::span<const Adjective> adjectives();
std::span<const Verb> verbs();  ///< all but be() and weather()
const Verb& be();
std::span<const Verb> weather();  ///< rain, snow
std::span<const Modal> modals();
const EnglishVerb& like();  ///< "likes to read": liest gern
std::span<const TimePhrase> times();
std::span<const TimePhrase> frequencies();
std::span<const PlacePreposition> locations();
std::span<const PlacePreposition> directions(Way way);
const Phrase& home();
const Phrase& atHome();
std::span<const Phrase> degrees();  ///< very, too

/// "People say that ...": the fixed wording first (man sagt), then its rivals, which all begin alike.
std::span<const Phrase> hearsay();

}  // namespace glassformer::translation
