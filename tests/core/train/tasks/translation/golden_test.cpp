// Sentences translated by hand.
#include <catch2/catch_test_macros.hpp>

#include "core/train/tasks/translation/english.h"
#include "core/train/tasks/translation/german.h"
#include "tests/core/train/tasks/translation/clauses.h"

using namespace glassformer::translation;
using enum glassformer::translation::Tense;
using glassformer::translation::that;

namespace {

constexpr Phrase because = {"because", "weil"}, although = {"although", "obwohl"},
                 saidThat = {"that", "dass"}, ifever = {"if", "wenn"}, once = {"when", "als"},
                 why = {"why", "warum"}, whether = {"whether", "ob"}, inOrder = {"in order", "um"},
                 plus = {"and", "und"}, however = {"but", "aber"}, before = {"before", "bevor"};

void same(Sentence sentence, const std::string& inEnglish, const std::string& inGerman) {
  REQUIRE(nameMeanings(sentence));
  CHECK(english(sentence).text == inEnglish);
  CHECK(german(sentence).text == inGerman);
}

const NounPhrase anna = named("Anna"), tom = named("Tom"), I = pronoun("I"), he = pronoun("he"),
                 she = pronoun("she"), we = pronoun("we"), they = pronoun("they");
const Verb& kaufen = verb("kaufen", Frame::Accusative);
const Verb& aufmachen = verb("aufmachen", Frame::Accusative);
const Verb& anmachen = verb("anmachen", Frame::Accusative);
const Verb& sehen = verb("sehen", Frame::Accusative);
const Verb& lesen = verb("lesen", Frame::Accusative);
const Verb& geben = verb("geben", Frame::Recipient);
const Verb& schlafen = verb("schlafen", Frame::Plain);
const Verb& singen = verb("singen", Frame::Plain);
const Verb& aufstehen = verb("aufstehen", Frame::Plain);
const Verb& helfen = verb("helfen", Frame::Dative);
const Verb& warten = verb("warten", Frame::Preposition);
const Verb& gehen = verb("gehen", Frame::Direction);
const Verb& springen = verb("springen", Frame::Direction);
const Verb& ueberqueren = verb("überqueren", Frame::Accusative);
const Verb& legen = verb("legen", Frame::AccusativeDirection);
const Verb& sagen = verb("sagen", Frame::Clause);
const Verb& wissen = verb("wissen", Frame::Clause);
const Verb& versuchen = verb("versuchen", Frame::Infinitive);

Told rains(Tense tense) { return Told(it(Gender::Neuter), weather().front()).in(tense); }

}  // namespace

TEST_CASE("golden: subjects and verbs agree") {
  same(Told(the("dog"), schlafen), "The dog sleeps.", "Der Hund schläft.");
  same(Told(the("women"), singen), "The women sing.", "Die Frauen singen.");
  same(Told(I, lesen).accusative(a("letter")), "I read a letter.", "Ich lese einen Brief.");
  same(Told(we, kaufen).accusative(the("car")), "We buy the car.", "Wir kaufen das Auto.");
  same(Told(I, be()).is("tired"), "I am tired.", "Ich bin müde.");
  same(Told(they, be()).past().is("young", "very"), "They were very young.", "Sie waren sehr jung.");
}

TEST_CASE("golden: cases, genders and the endings of adjectives") {
  same(Told(with("old", the("man")), sehen).accusative(with("small", the("bird"))),
       "The old man sees the small bird.", "Der alte Mann sieht den kleinen Vogel.");
  same(Told(with("old", a("man")), sehen).accusative(with("small", a("bird"))),
       "An old man sees a small bird.", "Ein alter Mann sieht einen kleinen Vogel.");
  same(Told(with("young", a("woman")), kaufen).accusative(with("red", a("jacket"))),
       "A young woman buys a red jacket.", "Eine junge Frau kauft eine rote Jacke.");
  same(Told(with("small", a("child")), lesen).accusative(with("good", a("book"))),
       "A small child reads a good book.", "Ein kleines Kind liest ein gutes Buch.");
  same(Told(anna, kaufen).accusative(with("red", bare("flowers"))), "Anna buys red flowers.",
       "Anna kauft rote Blumen.");
  same(Told(anna, kaufen).accusative(with("red", the("flowers"))), "Anna buys the red flowers.",
       "Anna kauft die roten Blumen.");
  same(Told(anna, kaufen).accusative(with("expensive", nounPhrase(Determiner::This, "coat"))),
       "Anna buys this expensive coat.", "Anna kauft diesen teuren Mantel.");
  same(Told(nounPhrase(Determiner::Every, "child"), sehen).accusative(nounPhrase(Determiner::Our, "house")),
       "Every child sees our house.", "Jedes Kind sieht unser Haus.");
  same(Told(with("clever", nounPhrase(Determiner::Her, "brother")), kaufen)
           .accusative(with("black", nounPhrase(Determiner::My, "horses"))),
       "Her clever brother buys my black horses.", "Ihr kluger Bruder kauft meine schwarzen Pferde.");
  same(Told(anna, kaufen).accusative(with("new", nounPhrase(Determiner::Two, "lamps"))),
       "Anna buys two new lamps.", "Anna kauft zwei neue Lampen.");
  same(Told(anna, helfen).dative(with("sick", nounPhrase(Determiner::Three, "women"))),
       "Anna helps three sick women.", "Anna hilft drei kranken Frauen.");
  same(Told(anna, helfen).dative(with("tired", nounPhrase(Determiner::Many, "children"))),
       "Anna helps many tired children.", "Anna hilft vielen müden Kindern.");
  same(Told(anna, sehen).accusative(the("boy")), "Anna sees the boy.", "Anna sieht den Jungen.");
  same(Told(anna, helfen).dative(a("boy")), "Anna helps a boy.", "Anna hilft einem Jungen.");
  same(Told(nounPhrase(Determiner::No, "man"), singen).location("in", with("dark", the("forest"))),
       "No man sings in the dark forest.", "Kein Mann singt im dunklen Wald.");
  same(Told(with("beautiful", nounPhrase(Determiner::Their, "cats")), schlafen)
           .location("under", with("old", a("table"))),
       "Their beautiful cats sleep under an old table.",
       "Ihre schönen Katzen schlafen unter einem alten Tisch.");
}

TEST_CASE("golden: datives stand before accusatives, and pronouns before both") {
  same(Told(anna, geben).dative(the("woman")).accusative(a("book")), "Anna gives the woman a book.",
       "Anna gibt der Frau ein Buch.");
  same(Told(anna, geben).dative(the("woman")).accusative(the("book")).toPhrase(),
       "Anna gives the book to the woman.", "Anna gibt der Frau das Buch.");
  same(Told(anna, geben).dative(the("woman")).accusative(it(Gender::Neuter)), "Anna gives it to the woman.",
       "Anna gibt es der Frau.");
  same(Told(anna, geben).dative(he).accusative(the("key")), "Anna gives him the key.",
       "Anna gibt ihm den Schlüssel.");
  same(Told(anna, geben).dative(she).accusative(they).past(), "Anna gave them to her.",
       "Anna hat sie ihr gegeben.");
  same(Told(tom, verb("erklären", Frame::Recipient)).dative(the("children")).accusative(the("computer")),
       "Tom explains the computer to the children.", "Tom erklärt den Kindern den Computer.");
  same(Told(tom, verb("kaufen", Frame::Recipient)).dative(I).accusative(a("cake")).toPhrase(),
       "Tom buys a cake for me.", "Tom kauft mir einen Kuchen.");
  same(Told(the("suitcase"), verb("gehören", Frame::Dative)).dative(nounPhrase(Determiner::My, "aunt")),
       "The suitcase belongs to my aunt.", "Der Koffer gehört meiner Tante.");
  same(Told(tom, verb("zurückgeben", Frame::Recipient)).dative(we).accusative(the("picture")).past(),
       "Tom gave back the picture to us.", "Tom hat uns das Bild zurückgegeben.");
}

TEST_CASE("golden: separable verbs") {
  same(Told(he, aufmachen).accusative(the("window")), "He opens the window.", "Er macht das Fenster auf.");
  same(Told(he, aufmachen).accusative(the("window")).past(), "He opened the window.",
       "Er hat das Fenster aufgemacht.");
  same(Told(anna, sagen).attach(saidThat, Told(he, aufmachen).accusative(the("window"))),
       "Anna says that he opens the window.", "Anna sagt, dass er das Fenster aufmacht.");
  same(Told(anna, sagen).attach(saidThat, Told(he, aufmachen).accusative(the("window")).past()),
       "Anna says that he opened the window.", "Anna sagt, dass er das Fenster aufgemacht hat.");
  same(Told(he, aufmachen).accusative(the("window")).modal("wollen"), "He wants to open the window.",
       "Er will das Fenster aufmachen.");
  same(Told(he, aufmachen).accusative(the("window")).in(Future), "He will open the window.",
       "Er wird das Fenster aufmachen.");
  same(Told(anna, anmachen).accusative(the("lamp")), "Anna turns on the lamp.", "Anna macht die Lampe an.");
  same(Told(anna, anmachen).accusative(it(Gender::Feminine)), "Anna turns it on.", "Anna macht sie an.");
  same(Told(tom, aufstehen).time("today").past(), "Tom got up today.", "Tom ist heute aufgestanden.");
  same(Told(tom, verb("zuhören", Frame::Dative)).dative(the("sisters")), "Tom listens to the sisters.",
       "Tom hört den Schwestern zu.");
  same(Told(tom, verb("einladen", Frame::Accusative)).accusative(she), "Tom invites her.",
       "Tom lädt sie ein.");
  same(Told(tom, verb("vorlesen", Frame::Recipient)).dative(the("girl")).accusative(the("story")),
       "Tom reads the girl the story.", "Tom liest dem Mädchen die Geschichte vor.");
}

TEST_CASE("golden: the verb comes second, whatever comes first") {
  same(Told(anna, kaufen).accusative(a("book")).past().timeFirst("yesterday"),
       "Yesterday Anna bought a book.", "Gestern hat Anna ein Buch gekauft.");
  same(Told(she, anmachen).accusative(the("radio")).in(Future).timeFirst("in the|morning"),
       "In the morning she will turn on the radio.", "Am Morgen wird sie das Radio anmachen.");
  same(Told(the("cat"), schlafen).location("in", the("kitchen")).locationFirst(),
       "In the kitchen the cat sleeps.", "In der Küche schläft die Katze.");
  same(Told(tom, be()).is("sick").past().timeFirst("last|week"), "Last week Tom was sick.",
       "Letzte Woche war Tom krank.");
  same(Told(anna, gehen).home().attach(ifever, rains(Present), true), "If it rains, Anna goes home.",
       "Wenn es regnet, geht Anna nach Hause.");
  same(Told(anna, singen).past().timeFirst("yesterday").attach(because, Told(she, be()).is("sad").past()),
       "Yesterday Anna sang because she was sad.", "Gestern hat Anna gesungen, weil sie traurig war.");
}

TEST_CASE("golden: subordinate clauses end with the verb") {
  same(Told(anna, kaufen).accusative(the("lamp")).attach(because, Told(it(Gender::Feminine), be()).is("new")),
       "Anna buys the lamp because it is new.", "Anna kauft die Lampe, weil sie neu ist.");
  same(
      Told(anna, kaufen).accusative(the("coat")).attach(because, Told(it(Gender::Masculine), be()).is("new")),
      "Anna buys the coat because it is new.", "Anna kauft den Mantel, weil er neu ist.");
  same(Told(anna, kaufen)
           .accusative(the("shirt"))
           .attach(because, Told(tom, verb("brauchen", Frame::Accusative)).accusative(it(Gender::Neuter))),
       "Anna buys the shirt because Tom needs it.", "Anna kauft das Hemd, weil Tom es braucht.");
  same(Told(tom, schlafen)
           .past()
           .attach(once, Told(anna, verb("zurückkommen", Frame::Direction)).home().past()),
       "Tom slept when Anna came back home.", "Tom hat geschlafen, als Anna nach Hause zurückgekommen ist.");
  same(Told(tom, wissen).negated().attach(whether, Told(anna, singen).modal("können")),
       "Tom does not know whether Anna can sing.", "Tom weiß nicht, ob Anna singen kann.");
  same(Told(tom, wissen).attach(why, Told(the("father"), verb("weinen", Frame::Plain)).past()),
       "Tom knows why the father cried.", "Tom weiß, warum der Vater geweint hat.");
  same(Told(I, wissen).past().attach(saidThat,
                                     Told(we, warten).complement(the("train")).modal("müssen").past()),
       "I knew that we had to wait for the train.", "Ich wusste, dass wir auf den Zug warten mussten.");
  same(Told(she, sagen).past().attach(saidThat, Told(the("dog"), be()).is("tired").past()),
       "She said that the dog was tired.", "Sie hat gesagt, dass der Hund müde war.");
  same(Told(anna, aufstehen).attach(before, rains(Present)), "Anna gets up before it rains.",
       "Anna steht auf, bevor es regnet.");
  same(Told(he, verb("suchen", Frame::Accusative))
           .accusative(it(Gender::Masculine))
           .attach(because, Told(anna, verb("brauchen", Frame::Accusative)).accusative(the("key")), true),
       "Because Anna needs the key, he looks for it.", "Weil Anna den Schlüssel braucht, sucht er ihn.");
}

TEST_CASE("golden: of two things, it is the one that can be what is said of it") {
  const NounPhrase animal = the("animal"), street = the("street"), river = the("river"), gate = the("gate");
  same(Told(animal, ueberqueren)
           .accusative(street)
           .past()
           .contracted()
           .attach(because, Told(itFor(animal), be()).is("tired", "too").past()),
       "The animal didn't cross the street because it was too tired.",
       "Das Tier überquerte die Straße nicht, weil es zu müde war.");
  same(Told(animal, ueberqueren)
           .accusative(street)
           .past()
           .negated()
           .attach(because, Told(itFor(street), be()).is("wide", "too").past()),
       "The animal did not cross the street because it was too wide.",
       "Das Tier überquerte die Straße nicht, weil sie zu breit war.");
  same(Told(the("cats"), ueberqueren)
           .accusative(river)
           .past()
           .attach(although, Told(itFor(river), be()).is("deep", "very").past()),
       "The cats crossed the river although it was very deep.",
       "Die Katzen überquerten den Fluss, obwohl er sehr tief war.");
  same(Told(the("dog"), springen)
           .direction("over", gate)
           .past()
           .negated()
           .attach(because, Told(itFor(gate), be()).is("high", "too").past()),
       "The dog did not jump over the gate because it was too high.",
       "Der Hund ist nicht über das Tor gesprungen, weil es zu hoch war.");
  same(Told(the("mouse"), springen)
           .direction("over", with("high", a("fence")))
           .modal("können")
           .past()
           .contracted()
           .attach(because, Told(itFor(the("mouse")), be()).is("weak", "too").past()),
       "The mouse couldn't jump over a high fence because it was too weak.",
       "Die Maus konnte nicht über einen hohen Zaun springen, weil sie zu schwach war.");
}

TEST_CASE("golden: contractions") {
  same(Told(anna, lesen).accusative(the("book")).contracted(), "Anna doesn't read the book.",
       "Anna liest das Buch nicht.");
  same(Told(they, lesen).accusative(a("book")).contracted(), "They don't read a book.",
       "Sie lesen kein Buch.");
  same(Told(anna, aufmachen).accusative(the("door")).contracted().in(Future), "Anna will not open the door.",
       "Anna wird die Tür nicht aufmachen.");
  same(Told(anna, aufmachen).accusative(the("door")).contracted().asking(Asking::Why),
       "Why does Anna not open the door?", "Warum macht Anna die Tür nicht auf?");
}

TEST_CASE("golden: relative clauses") {
  const auto man = the("man");
  same(Told(that(man, Told(relative(man), kaufen).accusative(the("book")).clause), schlafen),
       "The man who buys the book sleeps.", "Der Mann, der das Buch kauft, schläft.");
  const auto woman = the("woman");
  same(Told(I, sehen).accusative(
           that(woman, Told(tom, verb("lieben", Frame::Accusative)).accusative(relative(woman)).clause)),
       "I see the woman that Tom loves.", "Ich sehe die Frau, die Tom liebt.");
  const auto bed = the("bed");
  same(Told(I, sehen).past().accusative(that(bed, Told(tom, kaufen).accusative(relative(bed)).past().clause)),
       "I saw the bed that Tom bought.", "Ich habe das Bett gesehen, das Tom gekauft hat.");
  const auto girls = the("girls");
  same(Told(anna, helfen)
           .dative(that(girls,
                        Told(she, verb("spielen", Frame::Preposition)).complement(relative(girls)).clause)),
       "Anna helps the girls with whom she plays.", "Anna hilft den Mädchen, mit denen sie spielt.");
  const auto boy = a("boy");
  same(Told(that(boy, Told(they, warten).complement(relative(boy)).clause), singen).past(),
       "A boy for whom they wait sang.", "Ein Junge, auf den sie warten, hat gesungen.");
  same(
      Told(anna, sagen)
          .attach(
              saidThat,
              Told(that(man, Told(relative(man), aufmachen).accusative(the("door")).clause), be()).is("old")),
      "Anna says that the man who opens the door is old.",
      "Anna sagt, dass der Mann, der die Tür aufmacht, alt ist.");
  const auto child = a("child");
  same(Told(she, warten)
           .complement(that(child, Told(relative(child), schlafen).clause))
           .attach(because, rains(Progressive)),
       "She waits for a child who sleeps because it is raining.",
       "Sie wartet auf ein Kind, das schläft, weil es regnet.");
}

TEST_CASE("golden: tenses and modals") {
  same(Told(anna, lesen).accusative(the("newspaper")).in(Progressive), "Anna is reading the newspaper.",
       "Anna liest die Zeitung.");
  same(Told(anna, lesen).accusative(the("newspaper")).in(Perfect).frequency("already"),
       "Anna has already read the newspaper.", "Anna hat die Zeitung schon gelesen.");
  same(Told(the("boys"), gehen).direction("into", the("garden")).past(), "The boys went into the garden.",
       "Die Jungen sind in den Garten gegangen.");
  same(Told(we, verb("haben", Frame::Accusative)).accusative(a("cat")).past(), "We had a cat.",
       "Wir hatten eine Katze.");
  same(Told(they, helfen).dative(the("horse")).modal("können").past(), "They could help the horse.",
       "Sie konnten dem Pferd helfen.");
  same(Told(the("children"), schlafen).modal("dürfen").location("on", the("bench")),
       "The children may sleep on the bench.", "Die Kinder dürfen auf der Bank schlafen.");
  same(Told(tom, verb("abholen", Frame::Accusative)).accusative(the("brother")).modal("sollten"),
       "Tom should pick up the brother.", "Tom sollte den Bruder abholen.");
  same(Told(I, verb("kennen", Frame::Accusative)).accusative(nounPhrase(Determiner::His, "mother")).past(),
       "I knew his mother.", "Ich kannte seine Mutter.");
  same(Told(anna, lesen).gladly(), "Anna likes to read.", "Anna liest gern.");
  same(Told(anna, verb("essen", Frame::Accusative)).accusative(bare("apples")).gladly(),
       "Anna likes to eat apples.", "Anna isst gern Äpfel.");
  same(Told(she, verb("abholen", Frame::Accusative)).accusative(the("girl")).gladly(),
       "She likes to pick up the girl.", "Sie holt das Mädchen gern ab.");
}

TEST_CASE("golden: nicht and kein") {
  same(Told(anna, lesen).accusative(the("book")).negated(), "Anna does not read the book.",
       "Anna liest das Buch nicht.");
  same(Told(anna, lesen).accusative(a("book")).negated().past(), "Anna did not read a book.",
       "Anna hat kein Buch gelesen.");
  same(Told(anna, lesen).accusative(with("old", bare("books"))).negated(), "Anna does not read old books.",
       "Anna liest keine alten Bücher.");
  same(Told(he, aufmachen).accusative(the("door")).negated().time("today").in(Future),
       "He will not open the door today.", "Er wird die Tür heute nicht aufmachen.");
  same(Told(the("soup"), be()).is("cold").negated(), "The soup is not cold.", "Die Suppe ist nicht kalt.");
  same(Told(tom, warten).complement(she).negated(), "Tom does not wait for her.",
       "Tom wartet nicht auf sie.");
  same(Told(tom, gehen).direction("to", the("aunt")).negated(), "Tom does not go to the aunt.",
       "Tom geht nicht zur Tante.");
  same(Told(anna, singen).modal("können").negated(), "Anna cannot sing.", "Anna kann nicht singen.");
  same(Told(anna, kaufen).accusative(with("new", a("car"))).modal("müssen").negated(),
       "Anna does not have to buy a new car.", "Anna muss kein neues Auto kaufen.");
  same(Told(anna, kaufen).accusative(a("car")).frequency("never"), "Anna never buys a car.",
       "Anna kauft nie ein Auto.");
}

TEST_CASE("golden: adverbs stand behind what is known and before what is new") {
  same(Told(anna, kaufen).accusative(the("cake")).past().time("yesterday"), "Anna bought the cake yesterday.",
       "Anna hat den Kuchen gestern gekauft.");
  same(Told(anna, kaufen).accusative(a("cake")).past().time("yesterday"), "Anna bought a cake yesterday.",
       "Anna hat gestern einen Kuchen gekauft.");
  same(Told(anna, geben).dative(the("child")).accusative(a("egg")).past().time("in the|evening"),
       "Anna gave the child an egg in the evening.", "Anna hat dem Kind am Abend ein Ei gegeben.");
  same(Told(anna, singen).frequency("often").location("in", the("garden")), "Anna often sings in the garden.",
       "Anna singt oft im Garten.");
}

TEST_CASE("golden: places, at rest and to get to") {
  same(Told(the("cat"), schlafen).location("on", the("table")), "The cat sleeps on the table.",
       "Die Katze schläft auf dem Tisch.");
  same(Told(the("cat"), verb("springen", Frame::Direction)).direction("onto", the("table")),
       "The cat jumps onto the table.", "Die Katze springt auf den Tisch.");
  same(Told(anna, legen).accusative(a("book")).direction("on", the("bench")).past(),
       "Anna put a book on the bench.", "Anna hat ein Buch auf die Bank gelegt.");
  same(Told(anna, lesen).accusative(a("book")).location("next to", the("window")),
       "Anna reads a book next to the window.", "Anna liest ein Buch neben dem Fenster.");
  same(Told(tom, verb("laufen", Frame::Direction)).direction("into", the("house")),
       "Tom runs into the house.", "Tom läuft ins Haus.");
  same(Told(tom, singen).atHome(), "Tom sings at home.", "Tom singt zu Hause.");
  same(Told(tom, verb("träumen", Frame::Preposition)).complement(the("bear")), "Tom dreams of the bear.",
       "Tom träumt vom Bären.");
}

TEST_CASE("golden: questions") {
  same(Told(anna, kaufen).accusative(the("book")).asking(Asking::Whether), "Does Anna buy the book?",
       "Kauft Anna das Buch?");
  same(Told(he, aufmachen).accusative(the("door")).past().asking(Asking::Whether), "Did he open the door?",
       "Hat er die Tür aufgemacht?");
  same(Told(the("horse"), be()).is("old", "too").asking(Asking::Whether), "Is the horse too old?",
       "Ist das Pferd zu alt?");
  same(Told(anna, verb("anrufen", Frame::Accusative)).accusative(they).asking(Asking::Why).in(Progressive),
       "Why is Anna calling them?", "Warum ruft Anna sie an?");
  same(Told(who(), aufmachen).accusative(the("window")).asking(Asking::WhoOrWhat), "Who opens the window?",
       "Wer macht das Fenster auf?");
  same(Told(she, aufmachen).accusative(what()).asking(Asking::WhoOrWhat), "What does she open?",
       "Was macht sie auf?");
  same(Told(the("mouse"), schlafen).asking(Asking::Where), "Where does the mouse sleep?",
       "Wo schläft die Maus?");
  same(Told(we, aufstehen).modal("müssen").asking(Asking::When), "When do we have to get up?",
       "Wann müssen wir aufstehen?");
}

TEST_CASE("golden: comparisons, infinitives, and, but, hearsay") {
  same(Told(the("horse"), be()).is("bigger").than(the("dog")), "The horse is bigger than the dog.",
       "Das Pferd ist größer als der Hund.");
  same(Told(anna, versuchen).infinitiveOf(Told(aufmachen).accusative(the("suitcase"))),
       "Anna tries to open the suitcase.", "Anna versucht, den Koffer aufzumachen.");
  same(Told(anna, versuchen).past().infinitiveOf(Told(lesen).accusative(the("letter"))),
       "Anna tried to read the letter.", "Anna hat versucht, den Brief zu lesen.");
  same(Told(tom, gehen)
           .direction("into", the("kitchen"))
           .infinitiveOf(Told(verb("kochen", Frame::Accusative)).accusative(a("soup")), &inOrder),
       "Tom goes into the kitchen in order to cook a soup.",
       "Tom geht in die Küche, um eine Suppe zu kochen.");
  same(Told(anna, singen).coordinate(plus, Told(tom, verb("tanzen", Frame::Plain))),
       "Anna sings and Tom dances.", "Anna singt und Tom tanzt.");
  same(Told(anna, kaufen)
           .accusative(a("car"))
           .past()
           .coordinate(however, Told(it(Gender::Neuter), be()).is("expensive", "too").past()),
       "Anna bought a car, but it was too expensive.", "Anna hat ein Auto gekauft, aber es war zu teuer.");
  Sentence sentence = Told(the("bear"), schlafen).past();
  sentence.hearsay = &hearsay().front();
  same(sentence, "People say that the bear slept.", "Man sagt, dass der Bär geschlafen hat.");
  sentence.hearsay = &hearsay().back();
  same(sentence, "People say that the bear slept.", "Die Leute denken, dass der Bär geschlafen hat.");
}
