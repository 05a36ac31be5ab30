#include "core/train/tasks/translation/lexicon.h"

namespace glassformer::translation {
namespace {

using enum Gender;
using namespace sort;

constexpr Noun nounTable[] = {
    {"man", "men", "Mann", "Männer", Masculine, person},
    {"woman", "women", "Frau", "Frauen", Feminine, person},
    {"child", "children", "Kind", "Kinder", Neuter, person},
    {"boy", "boys", "Junge", "Jungen", Masculine, person, true},
    {"girl", "girls", "Mädchen", "Mädchen", Neuter, person},
    {"mother", "mothers", "Mutter", "Mütter", Feminine, person},
    {"father", "fathers", "Vater", "Väter", Masculine, person},
    {"brother", "brothers", "Bruder", "Brüder", Masculine, person},
    {"sister", "sisters", "Schwester", "Schwestern", Feminine, person},
    {"aunt", "aunts", "Tante", "Tanten", Feminine, person},
    {"dog", "dogs", "Hund", "Hunde", Masculine, animal},
    {"cat", "cats", "Katze", "Katzen", Feminine, animal},
    {"horse", "horses", "Pferd", "Pferde", Neuter, animal},
    {"bird", "birds", "Vogel", "Vögel", Masculine, animal},
    {"mouse", "mice", "Maus", "Mäuse", Feminine, animal},
    {"bear", "bears", "Bär", "Bären", Masculine, animal, true},
    {"animal", "animals", "Tier", "Tiere", Neuter, animal},
    {"book", "books", "Buch", "Bücher", Neuter, reading | written},
    {"letter", "letters", "Brief", "Briefe", Masculine, reading | written},
    {"newspaper", "newspapers", "Zeitung", "Zeitungen", Feminine, reading},
    {"story", "stories", "Geschichte", "Geschichten", Feminine, reading | written | tale},
    {"apple", "apples", "Apfel", "Äpfel", Masculine, food},
    {"egg", "eggs", "Ei", "Eier", Neuter, food | cooked},
    {"soup", "soups", "Suppe", "Suppen", Feminine, food | cooked},
    {"cake", "cakes", "Kuchen", "Kuchen", Masculine, food},
    {"window", "windows", "Fenster", "Fenster", Neuter, opening},
    {"door", "doors", "Tür", "Türen", Feminine, opening},
    {"suitcase", "suitcases", "Koffer", "Koffer", Masculine, opening},
    {"coat", "coats", "Mantel", "Mäntel", Masculine, clothes},
    {"shirt", "shirts", "Hemd", "Hemden", Neuter, clothes},
    {"jacket", "jackets", "Jacke", "Jacken", Feminine, clothes},
    {"lamp", "lamps", "Lampe", "Lampen", Feminine, device},
    {"radio", "radios", "Radio", "Radios", Neuter, device},
    {"computer", "computers", "Computer", "Computer", Masculine, device},
    {"train", "trains", "Zug", "Züge", Masculine, vehicle},
    {"car", "cars", "Auto", "Autos", Neuter, vehicle},
    {"table", "tables", "Tisch", "Tische", Masculine, furniture},
    {"bench", "benches", "Bank", "Bänke", Feminine, furniture},
    {"bed", "beds", "Bett", "Betten", Neuter, furniture},
    {"garden", "gardens", "Garten", "Gärten", Masculine, area},
    {"forest", "forests", "Wald", "Wälder", Masculine, area},
    {"city", "cities", "Stadt", "Städte", Feminine, area},
    {"kitchen", "kitchens", "Küche", "Küchen", Feminine, room},
    {"room", "rooms", "Zimmer", "Zimmer", Neuter, room},
    {"house", "houses", "Haus", "Häuser", Neuter, room},
    {"flower", "flowers", "Blume", "Blumen", Feminine, small},
    {"picture", "pictures", "Bild", "Bilder", Neuter, small},
    {"ball", "balls", "Ball", "Bälle", Masculine, small},
    {"key", "keys", "Schlüssel", "Schlüssel", Masculine, small},
    {"street", "streets", "Straße", "Straßen", Feminine, path},
    {"bridge", "bridges", "Brücke", "Brücken", Feminine, path},
    {"river", "rivers", "Fluss", "Flüsse", Masculine, water},
    {"field", "fields", "Feld", "Felder", Neuter, ground},
    {"wall", "walls", "Mauer", "Mauern", Feminine, barrier},
    {"fence", "fences", "Zaun", "Zäune", Masculine, barrier},
    {"gate", "gates", "Tor", "Tore", Neuter, barrier},
};

constexpr std::string_view nameTable[] = {"Anna", "Tom", "Mia", "Ben", "Lisa", "Paul"};

constexpr Adjective adjectiveTable[] = {
    {"big", "groß", "groß",
     animal | opening | clothes | vehicle | furniture | place | small | cooked | obstacle, "bigger",
     "größer"},
    {"small", "klein", "klein", alive | thing | place | obstacle, "smaller", "kleiner"},
    {"old", "alt", "alt",
     alive | reading | clothes | device | vehicle | furniture | place | small | path | barrier, "older",
     "älter", true},
    {"young", "jung", "jung", alive, "younger", "jünger", true},
    {"new", "neu", "neu", thing & ~food},
    {"heavy", "schwer", "schwer", opening | device | furniture | animal | small | vehicle, "heavier",
     "schwerer", true},
    {"beautiful", "schön", "schön", alive | clothes | furniture | place | small | written | obstacle},
    {"red", "rot", "rot", clothes | device | vehicle | furniture | opening | small},
    {"black", "schwarz", "schwarz", animal | clothes | device | vehicle | opening},
    {"good", "gut", "gut", reading | food},
    {"expensive", "teuer", "teur", clothes | device | vehicle | furniture | small},
    {"cold", "kalt", "kalt", food | room | water, "colder", "kälter", true},
    {"warm", "warm", "warm", clothes | cooked | room},
    {"dark", "dunkel", "dunkl", room | area | path, "darker", "dunkler", true},
    {"tired", "müde", "müd", alive, "", "", true},
    {"hungry", "hungrig", "hungrig", alive, "", "", true},
    {"sad", "traurig", "traurig", person | tale},
    {"sick", "krank", "krank", alive, "", "", true},
    {"clever", "klug", "klug", alive, "cleverer", "klüger", true},
    {"weak", "schwach", "schwach", alive, "weaker", "schwächer", true},
    {"slow", "langsam", "langsam", alive | vehicle, "slower", "langsamer", true},
    {"wide", "breit", "breit", path | water | ground, "wider", "breiter", true},
    {"deep", "tief", "tief", water, "deeper", "tiefer", true},
    {"high", "hoch", "hoh", barrier | furniture, "higher", "höher", true},
};

constexpr unsigned in(Tense tense) { return 1u << static_cast<unsigned>(tense); }
constexpr unsigned present = in(Tense::Present), past = in(Tense::Past), future = in(Tense::Future),
                   perfect = in(Tense::Perfect), progressive = in(Tense::Progressive);

constexpr TimePhrase timeTable[] = {
    {{"today", "heute"}, past | future},
    {{"yesterday", "gestern"}, past},
    {{"tomorrow", "morgen"}, future},
    {{"now", "jetzt"}, progressive},
    {{"in the|morning", "am|Morgen"}, past | future},
    {{"in the|evening", "am|Abend"}, past | future | present},
    {{"on|Sunday", "am|Sonntag"}, past | future},
    {{"last|week", "letzte|Woche"}, past},
    {{"every|day", "jeden|Tag"}, present},
    {{"in|summer", "im|Sommer"}, present},
};
constexpr TimePhrase frequencyTable[] = {
    {{"often", "oft"}, present | past}, {{"always", "immer"}, present},  {{"sometimes", "manchmal"}, present},
    {{"never", "nie"}, present | past}, {{"already", "schon"}, perfect},
};

constexpr PlacePreposition locationTable[] = {
    {"in", "in", Case::Dative, place},
    {"on", "auf", Case::Dative, furniture | path},
    {"under", "unter", Case::Dative, furniture},
    {"behind", "hinter", Case::Dative, furniture | opening | barrier},
    {"next to", "neben", Case::Dative, furniture | opening | person | small | obstacle},
    {"with", "mit", Case::Dative, person},
};
constexpr PlacePreposition travelTable[] = {
    {"into", "in", Case::Accusative, place},
    {"to", "zu", Case::Dative, person},
};
constexpr PlacePreposition jumpTable[] = {
    {"onto", "auf", Case::Accusative, furniture},
    {"over", "über", Case::Accusative, furniture | barrier},
};
constexpr PlacePreposition putTable[] = {
    {"on", "auf", Case::Accusative, furniture},
    {"under", "unter", Case::Accusative, furniture},
    {"next to", "neben", Case::Accusative, furniture | opening},
    {"into", "in", Case::Accusative, room},
};

constexpr Phrase homePhrase = {"home", "nach Hause"}, atHomePhrase = {"at home", "zu Hause"};
constexpr Phrase degreeTable[] = {{"very", "sehr"}, {"too", "zu"}};
constexpr Phrase hearsayTable[] = {
    {"people|say", "man|sagt"},           {"people|say", "die Leute|sagen"},
    {"people|say", "die Leute|erzählen"}, {"people|say", "die Leute|glauben"},
    {"people|say", "die Leute|meinen"},   {"people|say", "die Leute|denken"},
};

}  // namespace

std::span<const Noun> nouns() { return nounTable; }
std::span<const std::string_view> names() { return nameTable; }
std::span<const Adjective> adjectives() { return adjectiveTable; }
std::span<const TimePhrase> times() { return timeTable; }
std::span<const TimePhrase> frequencies() { return frequencyTable; }
std::span<const PlacePreposition> locations() { return locationTable; }
std::span<const PlacePreposition> directions(Way way) {
  switch (way) {
    case Way::Travel:
      return travelTable;
    case Way::Jump:
      return jumpTable;
    case Way::Put:
      return putTable;
    case Way::None:
      break;
  }
  return {};
}
const Phrase& home() { return homePhrase; }
const Phrase& atHome() { return atHomePhrase; }
std::span<const Phrase> degrees() { return degreeTable; }
std::span<const Phrase> hearsay() { return hearsayTable; }

}  // namespace glassformer::translation
