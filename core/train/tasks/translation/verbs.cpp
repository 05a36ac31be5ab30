#include "core/train/tasks/translation/lexicon.h"

namespace glassformer::translation {
namespace {

using enum Auxiliary;
using namespace sort;

constexpr Sorts everything = alive | thing | place | obstacle;

constexpr Verb plain(EnglishVerb english, GermanVerb german, Sorts subject) {
  return {.english = english, .german = german, .frame = Frame::Plain, .subject = subject};
}
constexpr Verb direction(EnglishVerb english, GermanVerb german, Sorts subject, Way way) {
  return {.english = english, .german = german, .frame = Frame::Direction, .subject = subject, .way = way};
}
constexpr Verb placing(EnglishVerb english, GermanVerb german, Sorts object) {
  return {.english = english,
          .german = german,
          .frame = Frame::AccusativeDirection,
          .subject = person,
          .object = object,
          .way = Way::Put};
}
constexpr Verb accusative(EnglishVerb english, GermanVerb german, Sorts subject, Sorts object) {
  return {
      .english = english, .german = german, .frame = Frame::Accusative, .subject = subject, .object = object};
}
constexpr Verb dative(EnglishVerb english, GermanVerb german, Sorts subject, Sorts object) {
  return {.english = english, .german = german, .frame = Frame::Dative, .subject = subject, .object = object};
}
constexpr Verb recipient(EnglishVerb english, GermanVerb german, Sorts object, Sorts recipients = person,
                         bool doubleObject = true) {
  return {.english = english,
          .german = german,
          .frame = Frame::Recipient,
          .subject = person,
          .object = object,
          .recipient = recipients,
          .doubleObject = doubleObject};
}
constexpr Verb prepositional(EnglishVerb english, GermanVerb german, Sorts subject, Sorts object,
                             std::string_view preposition, Case governs) {
  return {.english = english,
          .german = german,
          .frame = Frame::Preposition,
          .subject = subject,
          .object = object,
          .preposition = preposition,
          .governs = governs};
}
constexpr Verb withClause(EnglishVerb english, GermanVerb german) {
  return {.english = english, .german = german, .frame = Frame::Clause, .subject = person};
}
constexpr Verb withInfinitive(EnglishVerb english, GermanVerb german) {
  return {.english = english, .german = german, .frame = Frame::Infinitive, .subject = person};
}

constexpr Verb verbTable[] = {
    // Without an object.
    plain({"sleep", "sleeps", "slept", "slept", "sleeping"}, {"schlafen", "schläft", "geschlafen"}, alive),
    plain({"laugh", "laughs", "laughed", "laughed", "laughing"}, {"lachen", "lacht", "gelacht"}, person),
    plain({"sing", "sings", "sang", "sung", "singing"}, {"singen", "singt", "gesungen"}, person),
    plain({"work", "works", "worked", "worked", "working"}, {"arbeiten", "arbeitet", "gearbeitet"}, person),
    plain({"dance", "dances", "danced", "danced", "dancing"}, {"tanzen", "tanzt", "getanzt"}, person),
    plain({"cry", "cries", "cried", "cried", "crying"}, {"weinen", "weint", "geweint"}, person),
    plain({"get", "gets", "got", "got", "getting", "up"}, {"stehen", "steht", "aufgestanden", "auf", Sein},
          alive),
    plain({"fall", "falls", "fell", "fallen", "falling", "asleep"},
          {"schlafen", "schläft", "eingeschlafen", "ein", Sein}, alive),
    plain({"arrive", "arrives", "arrived", "arrived", "arriving"},
          {"kommen", "kommt", "angekommen", "an", Sein}, person | vehicle),
    // To somewhere.
    direction({"go", "goes", "went", "gone", "going"}, {"gehen", "geht", "gegangen", "", Sein}, person,
              Way::Travel),
    direction({"run", "runs", "ran", "run", "running"}, {"laufen", "läuft", "gelaufen", "", Sein}, alive,
              Way::Travel),
    direction({"come", "comes", "came", "come", "coming", "back"},
              {"kommen", "kommt", "zurückgekommen", "zurück", Sein}, alive, Way::Travel),
    direction({"drive", "drives", "drove", "driven", "driving"}, {"fahren", "fährt", "gefahren", "", Sein},
              person, Way::Travel),
    direction({"jump", "jumps", "jumped", "jumped", "jumping"},
              {"springen", "springt", "gesprungen", "", Sein}, alive, Way::Jump),
    placing({"put", "puts", "put", "put", "putting"}, {"legen", "legt", "gelegt"},
            reading | clothes | small | food),
    // With an accusative.
    accusative({"see", "sees", "saw", "seen"}, {"sehen", "sieht", "gesehen"}, alive, everything),
    accusative({"buy", "buys", "bought", "bought", "buying"}, {"kaufen", "kauft", "gekauft"}, person,
               animal | thing),
    accusative({"sell", "sells", "sold", "sold", "selling"}, {"verkaufen", "verkauft", "verkauft"}, person,
               animal | thing),
    accusative({"find", "finds", "found", "found"}, {"finden", "findet", "gefunden"}, alive, everything),
    accusative({"love", "loves", "loved", "loved"}, {"lieben", "liebt", "geliebt"}, person, alive),
    accusative({"like", "likes", "liked", "liked"}, {"mögen", "mag", "gemocht", "", Haben, "mochte", "mag"},
               alive, everything),
    accusative({"know", "knows", "knew", "known"}, {"kennen", "kennt", "gekannt", "", Haben, "kannte"},
               person, person | reading),
    accusative({"need", "needs", "needed", "needed"}, {"brauchen", "braucht", "gebraucht"}, person, thing),
    accusative({"have", "has", "had", "had"}, {"haben", "hat", "gehabt", "", Haben, "hatte"}, person,
               animal | thing),
    accusative({"eat", "eats", "ate", "eaten", "eating"}, {"essen", "isst", "gegessen"}, alive, food),
    accusative({"cook", "cooks", "cooked", "cooked", "cooking"}, {"kochen", "kocht", "gekocht"}, person,
               cooked),
    accusative({"read", "reads", "read", "read", "reading"}, {"lesen", "liest", "gelesen"}, person, reading),
    accusative({"write", "writes", "wrote", "written", "writing"}, {"schreiben", "schreibt", "geschrieben"},
               person, written),
    accusative({"wash", "washes", "washed", "washed", "washing"}, {"waschen", "wäscht", "gewaschen"}, person,
               clothes | vehicle | animal),
    accusative({"carry", "carries", "carried", "carried", "carrying"}, {"tragen", "trägt", "getragen"},
               person, small | furniture | opening),
    accusative({"visit", "visits", "visited", "visited", "visiting"}, {"besuchen", "besucht", "besucht"},
               person, person),
    accusative({"hear", "hears", "heard", "heard"}, {"hören", "hört", "gehört"}, alive, alive),
    accusative({"look", "looks", "looked", "looked", "looking", "", "for"}, {"suchen", "sucht", "gesucht"},
               alive, everything),
    accusative({"open", "opens", "opened", "opened", "opening"}, {"machen", "macht", "aufgemacht", "auf"},
               person, opening),
    accusative({"close", "closes", "closed", "closed", "closing"}, {"machen", "macht", "zugemacht", "zu"},
               person, opening),
    accusative({"turn", "turns", "turned", "turned", "turning", "on"}, {"machen", "macht", "angemacht", "an"},
               person, device),
    accusative({"turn", "turns", "turned", "turned", "turning", "off"},
               {"machen", "macht", "ausgemacht", "aus"}, person, device),
    accusative({"put", "puts", "put", "put", "putting", "on"}, {"ziehen", "zieht", "angezogen", "an"}, person,
               clothes),
    accusative({"call", "calls", "called", "called", "calling"}, {"rufen", "ruft", "angerufen", "an"}, person,
               person),
    accusative({"pick", "picks", "picked", "picked", "picking", "up"}, {"holen", "holt", "abgeholt", "ab"},
               person, person),
    accusative({"invite", "invites", "invited", "invited", "inviting"},
               {"laden", "lädt", "eingeladen", "ein"}, person, person),
    accusative({"look", "looks", "looked", "looked", "looking", "", "at"},
               {"sehen", "sieht", "angesehen", "an"}, alive, everything),
    accusative({"clean", "cleans", "cleaned", "cleaned", "cleaning", "up"},
               {"räumen", "räumt", "aufgeräumt", "auf"}, person, room),
    accusative({"cross", "crosses", "crossed", "crossed", "crossing"},
               {"überqueren", "überquert", "überquert", "", Haben, "überquerte"}, alive | vehicle,
               path | water | ground),
    // With a dative.
    dative({"help", "helps", "helped", "helped", "helping"}, {"helfen", "hilft", "geholfen"}, person, person),
    dative({"thank", "thanks", "thanked", "thanked", "thanking"}, {"danken", "dankt", "gedankt"}, person,
           person),
    dative({"listen", "listens", "listened", "listened", "listening", "", "to"},
           {"hören", "hört", "zugehört", "zu"}, person, person),
    dative({"follow", "follows", "followed", "followed", "following"},
           {"folgen", "folgt", "gefolgt", "", Sein}, alive, alive | vehicle),
    dative({"belong", "belongs", "belonged", "belonged", "", "", "to"},
           {"gehören", "gehört", "gehört", "", Haben, "gehörte"}, thing & ~food, person),
    // With both.
    recipient({"give", "gives", "gave", "given", "giving", "", "to"}, {"geben", "gibt", "gegeben"},
              reading | food | clothes | small, alive),
    recipient({"show", "shows", "showed", "shown", "showing", "", "to"}, {"zeigen", "zeigt", "gezeigt"},
              animal | thing),
    recipient({"send", "sends", "sent", "sent", "sending", "", "to"}, {"schicken", "schickt", "geschickt"},
              reading | clothes | small),
    recipient({"bring", "brings", "brought", "brought", "bringing", "", "to"},
              {"bringen", "bringt", "gebracht"}, reading | food | clothes | small),
    recipient({"buy", "buys", "bought", "bought", "buying", "", "for"}, {"kaufen", "kauft", "gekauft"},
              reading | food | clothes | small),
    recipient({"tell", "tells", "told", "told", "telling", "", "to"}, {"erzählen", "erzählt", "erzählt"},
              tale),
    recipient({"explain", "explains", "explained", "explained", "explaining", "", "to"},
              {"erklären", "erklärt", "erklärt"}, tale | device, person, false),
    recipient({"read", "reads", "read", "read", "reading", "", "to"}, {"lesen", "liest", "vorgelesen", "vor"},
              reading),
    recipient({"give", "gives", "gave", "given", "giving", "back", "to"},
              {"geben", "gibt", "zurückgegeben", "zurück"}, reading | clothes | small, person, false),
    // With a preposition.
    prepositional({"wait", "waits", "waited", "waited", "waiting", "", "for"},
                  {"warten", "wartet", "gewartet"}, alive, person | vehicle, "auf", Case::Accusative),
    prepositional({"think", "thinks", "thought", "thought", "thinking", "", "of"},
                  {"denken", "denkt", "gedacht"}, person, alive | food, "an", Case::Accusative),
    prepositional({"laugh", "laughs", "laughed", "laughed", "laughing", "", "at"},
                  {"lachen", "lacht", "gelacht"}, person, alive | tale, "über", Case::Accusative),
    prepositional({"talk", "talks", "talked", "talked", "talking", "", "to"},
                  {"sprechen", "spricht", "gesprochen"}, person, alive, "mit", Case::Dative),
    prepositional({"play", "plays", "played", "played", "playing", "", "with"},
                  {"spielen", "spielt", "gespielt"}, alive, alive | small, "mit", Case::Dative),
    prepositional({"dream", "dreams", "dreamed", "dreamed", "dreaming", "", "of"},
                  {"träumen", "träumt", "geträumt"}, alive, alive | food, "von", Case::Dative),
    // With a clause.
    withClause({"say", "says", "said", "said"}, {"sagen", "sagt", "gesagt"}),
    withClause({"know", "knows", "knew", "known"},
               {"wissen", "weiß", "gewusst", "", Haben, "wusste", "weiß"}),
    withClause({"believe", "believes", "believed", "believed"}, {"glauben", "glaubt", "geglaubt"}),
    withClause({"think", "thinks", "thought", "thought"}, {"denken", "denkt", "gedacht"}),
    withClause({"hope", "hopes", "hoped", "hoped"}, {"hoffen", "hofft", "gehofft"}),
    withClause({"ask", "asks", "asked", "asked"}, {"fragen", "fragt", "gefragt"}),
    withInfinitive({"try", "tries", "tried", "tried", "trying"}, {"versuchen", "versucht", "versucht"}),
    withInfinitive({"forget", "forgets", "forgot", "forgotten"}, {"vergessen", "vergisst", "vergessen"}),
};

constexpr Verb beVerb = {.english = {"be", "is", "was", "been"},
                         .german = {"sein", "ist", "gewesen", "", Sein, "war", "bin", "sind"},
                         .frame = Frame::Copula,
                         .subject = everything};

constexpr Verb weatherTable[] = {
    {.english = {"rain", "rains", "rained", "rained", "raining"},
     .german = {"regnen", "regnet", "geregnet"},
     .frame = Frame::Weather},
    {.english = {"snow", "snows", "snowed", "snowed", "snowing"},
     .german = {"schneien", "schneit", "geschneit"},
     .frame = Frame::Weather},
};

constexpr EnglishVerb likeVerb = {"like", "likes", "liked", "liked"};

constexpr Modal modalTable[] = {
    {{"can", "can", "could"}, {"können", "kann", "", "", Haben, "konnte", "kann"}, true},
    {{"want", "wants", "wanted"}, {"wollen", "will", "", "", Haben, "wollte", "will"}},
    {{"have", "has", "had"}, {"müssen", "muss", "", "", Haben, "musste", "muss"}},
    {{"may", "may", ""}, {"dürfen", "darf", "", "", Haben, "", "darf"}, true},
    {{"should", "should", ""}, {"sollten", "sollte", "", "", Haben, "", "sollte"}, true},
};
}  // namespace

std::span<const Verb> verbs() { return verbTable; }
const Verb& be() { return beVerb; }
std::span<const Verb> weather() { return weatherTable; }
std::span<const Modal> modals() { return modalTable; }
const EnglishVerb& like() { return likeVerb; }

}  // namespace glassformer::translation
