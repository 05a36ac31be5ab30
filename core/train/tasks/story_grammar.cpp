#include "core/train/tasks/story_grammar.h"

#include <set>

namespace glassformer {

namespace {

const Rules words = {
    {"animal", {"animal", "dog",      "cat",      "fox",    "bear", "rabbit", "horse",    "mouse",
                "goat",   "frog",     "duck",     "turtle", "pig",  "cow",    "sheep",    "hen",
                "donkey", "squirrel", "hedgehog", "goose",  "wolf", "monkey", "elephant", "lion"}},
    {"girl", {"Mia", "Anna", "Lily", "Ella", "Nora", "Rosa", "Emma", "Clara"}},
    {"boy", {"Tom", "Ben", "Max", "Sam", "Leo", "Finn", "Jack", "Paul"}},
    {"thing", {"ball", "kite",  "drum",    "book",  "hat",    "doll", "boat",     "bell",  "lamp",
               "cup",  "ring",  "spoon",   "flute", "key",    "coin", "map",      "box",   "scarf",
               "rope", "shell", "feather", "apple", "basket", "egg",  "umbrella", "kettle"}},
    {"colour",
     {"red", "blue", "green", "yellow", "white", "black", "brown", "pink", "purple", "golden", "silver"}},
    {"trait", {"little", "big", "old", "funny", "clever", "brave", "kind", "merry", "gentle", "curious"}},
    {"feeling",
     {"tired", "sleepy", "hungry", "thirsty", "shy", "lazy", "scared", "weak", "sick", "young", "sad",
      "proud"}},
    {"weather", {"sunny", "rainy", "windy", "cold", "warm", "bright"}},
    {"time", {"morning", "afternoon", "evening", "day"}},
    {"home", {"forest", "village", "garden", "valley", "meadow", "barn"}},
    {"quiet", {"small", "quiet", "green", "pretty"}},
    {"sight", {"sea", "moon", "king", "snow", "market", "stars", "sunset"}},
    {"place", {"market", "school", "mill", "farm", "castle", "town", "shop", "well"}},
    {"food", {"bread", "cheese", "soup", "honey", "cake"}},
    {"drink", {"water", "milk", "juice", "tea"}},
    {"perch", {"in a tree", "on the roof", "on the fence", "by the pond", "on a rock", "in the garden"}},
    {"spot", {"under a tree", "in the grass", "in the sun", "in the hay", "behind a rock"}},
    {"hiding",
     {"under the bed", "behind the barn", "in the pot", "on the roof", "in the garden", "under the table",
      "behind the door", "in the cave", "under the bridge", "in the hay", "behind the mill",
      "under the stairs"}},
    {"syllable", {"la", "mi", "ko", "tu", "pa", "re", "so", "fa", "ti",  "lu",  "na",  "wi",  "zo", "be",
                  "du", "ka", "ri", "mo", "ne", "pi", "ta", "bo", "gu",  "sha", "lo",  "ba",  "fi", "ku",
                  "ra", "wo", "za", "hu", "ni", "pe", "ro", "sa", "tik", "dum", "bim", "lala"}},
    {"number", {"two", "three", "four", "five", "six", "seven"}},
};

const Rules animalStory = {
    {"animal opening",
     {"Once there was {a trait} {hero=animal}.",
      "One {weather} {time} {a trait} {hero=animal} went for a walk.",
      "In {a quiet} {home} lived {a trait} {hero=animal}.",
      "Early in the morning {a trait} {hero=animal} set out.",
      "There once was {a colour} {hero=animal} that loved to sing."}},
    {"goal",
     {"It wanted to visit its friend, the {friend=animal-hero}.", "It wanted to see the {sight}.",
      "It was looking for {a colour} {thing}.", "It was on its way to the {place}.",
      "It had {a colour} {thing} for its friend, the {friend=animal-hero}."}},
    {"path",
     {"Soon it came to {a obstacle=obstacle}.", "Then it saw {a obstacle=obstacle}.",
      "On the way there was {a obstacle=obstacle}."}},
    {"refusal", {"didn't", "couldn't", "wouldn't"}},
    {"verb", {"cross", "climb", "enter", "jump over", "swim across"}},
    {"obstacle", {"street", "road",   "river",  "bridge",   "field",  "stream", "lake",  "hill",
                  "wall",   "tree",   "fence",  "mountain", "ladder", "rock",   "tower", "cave",
                  "tunnel", "forest", "puddle", "log",      "ditch",  "pond"}},
    {"obstacle/cross", {"street", "road", "river", "bridge", "field", "stream", "lake"}},
    {"obstacle/climb", {"hill", "wall", "tree", "fence", "mountain", "ladder", "rock", "tower"}},
    {"obstacle/enter", {"cave", "tunnel", "forest", "tower"}},
    {"obstacle/jump over", {"puddle", "log", "fence", "stream", "ditch"}},
    {"obstacle/swim across", {"lake", "river", "pond"}},
    {"adjective/street", {"wide", "busy", "icy"}},
    {"adjective/road", {"wide", "busy", "icy", "long"}},
    {"adjective/river", {"wide", "deep"}},
    {"adjective/bridge", {"narrow", "slippery", "icy", "long"}},
    {"adjective/field", {"wide", "long"}},
    {"adjective/stream", {"wide", "deep"}},
    {"adjective/lake", {"wide", "deep", "icy"}},
    {"adjective/hill", {"steep", "high", "slippery"}},
    {"adjective/wall", {"high", "slippery"}},
    {"adjective/tree", {"high", "slippery"}},
    {"adjective/fence", {"high", "slippery"}},
    {"adjective/mountain", {"steep", "high", "icy"}},
    {"adjective/ladder", {"steep", "narrow", "slippery"}},
    {"adjective/rock", {"steep", "high", "slippery"}},
    {"adjective/tower", {"dark", "high", "narrow"}},
    {"adjective/cave", {"dark", "deep", "narrow"}},
    {"adjective/tunnel", {"dark", "narrow", "long"}},
    {"adjective/forest", {"dark", "deep"}},
    {"adjective/puddle", {"wide", "deep"}},
    {"adjective/log", {"wide", "high", "slippery"}},
    {"adjective/ditch", {"wide", "deep"}},
    {"adjective/pond", {"wide", "deep", "icy"}},
};

// What happens then, by the adjective.
const Rules remedies = {
    {"remedy/tired",
     {"So the {hero} lay down {spot} and slept.", "So the {hero} rested {spot} until the evening."}},
    {"remedy/sleepy", {"So the {hero} took a nap {spot}.", "So the {hero} went to bed early."}},
    {"remedy/hungry", {"So the {hero} ate some {food} first.", "So the {hero} looked for some {food}."}},
    {"remedy/thirsty", {"So the {hero} drank some {drink} first.", "So the {hero} looked for some {drink}."}},
    {"remedy/shy", {"So the {hero} hid {spot}.", "So the {hero} only waved."}},
    {"remedy/lazy", {"So the {hero} stayed in bed all day.", "So the {hero} lay {spot} all day."}},
    {"remedy/scared",
     {"So the {hero} ran home to its mother.", "So the {hero} closed its eyes and hid {spot}."}},
    {"remedy/weak", {"So the {hero} ate some {food} and slept.", "So the {hero} rested {spot} all day."}},
    {"remedy/sick",
     {"So the {hero} stayed in bed and drank some {drink}.", "So the {hero} went home to its mother."}},
    {"remedy/young",
     {"So the {hero} waited for its mother.", "So the {hero} asked its big brother for help."}},
    {"remedy/sad",
     {"So the {helper=animal-hero} told it a funny story.",
      "So the {helper=animal-hero} gave it some {food}."}},
    {"remedy/proud", {"So the {hero} walked home with its nose in the air.", "So the {hero} only laughed."}},
    {"remedy/wide",
     {"So the {hero} went home.", "So the {hero} looked for another way.", "So the {hero} waited for help."}},
    {"remedy/busy", {"So the {hero} waited until the evening.", "So the {hero} looked for another way."}},
    {"remedy/icy", {"So the {hero} waited for the sun.", "So the {hero} waited for a warm day."}},
    {"remedy/long",
     {"So the {hero} turned around and went home.", "So the {hero} sat down and ate some {food}."}},
    {"remedy/deep",
     {"So the {hero} asked the {helper=animal-hero} for help.",
      "So the {hero} turned around and went home."}},
    {"remedy/narrow", {"So the {hero} went another way.", "So the {hero} turned around and went home."}},
    {"remedy/slippery",
     {"So the {hero} held on to the {helper=animal-hero}.", "So the {hero} went another way."}},
    {"remedy/steep",
     {"So the {hero} walked all the way around.", "So the {hero} asked the {helper=animal-hero} for help."}},
    {"remedy/high",
     {"So the {hero} walked all the way around.",
      "So the {hero} asked the {helper=animal-hero} for a rope."}},
    {"remedy/dark", {"So the {hero} came back with a lamp.", "So the {hero} waited until the morning."}},
};

const Rules songs = {
    {"sing first",
     {"A bird sat {perch} and sang:", "The {singer=animal} sang {a mood} song:", "The wind blew and sang:",
      "The {band} went:"}},
    {"mood", {"happy", "sad", "merry", "new", "old"}},
    {"band", {"drum", "bell", "clock", "rain", "train"}},
    {"sing again",
     {"Soon the {listener=animal-singer-hero} sang it too:",
      "The {listener=animal-singer-hero} liked it and sang:",
      "In the evening the {listener=animal-singer-hero} still sang:"}},
    {"sing once more", {"Then everyone sang:", "All night long they sang:", "Even the moon sang:"}},
    {"hero sings", {"On the way it sang:", "It walked and sang:", "It knew a song:"}},
    {"hero sings again", {"Then the {hero} sang again:", "At night the {hero} sang once more:"}},
    {"secret opening",
     {"Once there was a girl called {p=girl}.", "Once there was a boy called {p=boy}.",
      "One {weather} {time} {p=person} went to the {place}."}},
    {"secret",
     {"{She/$p} knew the secret words:", "{She/$p} wrote some words on a leaf:",
      "{She/$p} had a secret name for the moon:"}},
    {"secret by name",
     {"{p} knew the secret words:", "{p} wrote some words on a leaf:",
      "{p} had a secret name for the moon:"}},
    {"secret again", {"{She/$p} told {q=friend/$p}:", "{q=friend/$p} heard it and said:"}},
    {"secret once more", {"The next day {q} still knew it:", "In a dream {q} heard it again:"}},
    {"mage", {"witch", "fairy", "queen", "wizard", "king"}},
    {"magic",
     {"The {trait} {mage=mage} said the magic words:", "The {mage=mage} waved a {colour} stick and said:"}},
    {"magic again", {"Nothing happened, so the {mage} said it again:", "Then the {animal} said it too:"}},
    {"wonder",
     {"Then the door opened.", "Then it began to snow.", "Then {a colour} {thing} fell from the sky.",
      "Then the {animal} began to dance.", "Then all the stars began to sing."}},
    {"magic opening",
     {"Once upon a time there was {a colour} door in the forest.",
      "Long ago it did not rain for {number} years.", "High up in a tower stood {a colour} {thing}."}},
};

const Rules people = {
    {"gift opening",
     {"It was {p=person}'s birthday.", "One {weather} {time} {p=person} had a party.",
      "Poor {p=person} was sick in bed."}},
    {"give", {"gave", "brought"}},
    {"give/gave", {"give"}},
    {"give/brought", {"bring"}},
    {"thanks",
     {"{p} laughed and said thank you.", "{p} danced with joy.", "{p} was very happy.",
      "Then they all ate {food}."}},
    {"found", {"One {weather} {time} {p=person} found {a c1=colour} {t1=thing} {spot}."}},
    {"later", {"Soon", "Then", "Later"}},
    {"game opening",
     {"One {weather} {time} the animals played a game.", "Once the animals wanted to play.",
      "It was {a weather} {time} on the farm."}},
    {"game end",
     {"The {animal-x1-x2} found it first and laughed.", "The {animal-x1-x2} looked for it all day.",
      "Then the {animal-x1-x2} found the {t2} too."}},
    {"people opening",
     {"One {weather} {time} {p=person} and {q=person-p} were at home.",
      "It was {a weather} {time} in the village.",
      "Every {time} {p=person} and {q=person-p} played together."}},
    {"act",
     {"took an umbrella", "put on a coat", "lit a lamp", "ran home", "opened the window", "stayed in bed",
      "made some tea"}},
    {"reason/took an umbrella", {"raining"}},
    {"reason/put on a coat", {"cold", "windy"}},
    {"reason/lit a lamp", {"dark"}},
    {"reason/ran home", {"late", "dark", "raining"}},
    {"reason/opened the window", {"hot", "sunny"}},
    {"reason/stayed in bed", {"early", "snowing"}},
    {"reason/made some tea", {"cold", "snowing"}},
};

const Rules endings = {
    {"ending",
     {"Then they all went home.", "It was a good day.", "They danced until the {evening}.",
      "That night the moon was {moon}.", "And everyone was happy.", "Good night, little {hero}!",
      "The {animal} laughed and laughed."}},
    {"people ending",
     {"Then they all went home.", "It was a good day.", "They danced until the {evening}.",
      "That night the moon was {moon}.", "And everyone was happy.", "The {animal} laughed and laughed."}},
    {"evening", {"evening", "morning", "stars came out", "sun went down"}},
    {"moon", {"big", "round", "bright", "silver"}},
};

// Pronouns and friends follow from a person's name.
void addPeople(Rules& rules) {
  auto& persons = rules["person"];
  for (const bool girl : {true, false})
    for (const std::string& name : rules.at(girl ? "girl" : "boy")) {
      persons.push_back(name);
      rules["She/" + name] = {girl ? "She" : "He"};
      rules["her/" + name] = {girl ? "her" : "him"};
    }
  for (const std::string& name : persons) {
    auto& friends = rules["friend/" + name];
    for (const std::string& other : persons)
      if (other != name) friends.push_back(other);
  }
}

// What secret words are drawn from: every word of the lists, each once.
void addAnyWord(Rules& rules) {
  std::set<std::string> all;
  for (const char* list :
       {"animal", "thing", "colour", "trait",  "feeling",  "weather", "time", "home", "sight", "place",
        "food",   "drink", "number", "person", "obstacle", "mage",    "band", "mood", "moon",  "syllable"})
    all.insert(rules.at(list).begin(), rules.at(list).end());
  for (const std::string& obstacle : rules.at("obstacle"))
    all.insert(rules.at("adjective/" + obstacle).begin(), rules.at("adjective/" + obstacle).end());
  rules["any word"].assign(all.begin(), all.end());
}

// An obstacle that was named first decides the verb.
void addVerbs(Rules& rules) {
  for (const std::string& verb : rules.at("verb"))
    for (const std::string& obstacle : rules.at("obstacle/" + verb))
      rules["verb/" + obstacle].push_back(verb);
}

Rules makeRules() {
  Rules rules;
  for (const Rules& part : {words, animalStory, remedies, songs, people, endings})
    rules.insert(part.begin(), part.end());
  addPeople(rules);
  addAnyWord(rules);
  addVerbs(rules);
  return rules;
}

}  // namespace

const Rules& storyRules() {
  static const Rules rules = makeRules();
  return rules;
}

}  // namespace glassformer
