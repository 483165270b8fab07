/**
 * Question and function words, without accents. Left out: words that name things to a developer or in a calendar (get, C, may),
 * and words of the other languages that mean something in English (die, war, son, hat, bin).
 */
const ENGLISH = `a about am an and any are as at be been being but by can could did do does doing done for from had has have having he her hers him his how
i if in into is it its just me more most my no nor not of on or our ours out over own please shall she should so some such than that the their
theirs them then there these they this those to too up us very was we were what whats when where which while who whom whose why will with would you your yours
dont didnt doesnt isnt arent wasnt werent havent hasnt hadnt wont wouldnt cant couldnt shouldnt`;
const GERMAN = `aber als am auch auf aus bei bist da das dass dem den der des dich dir du ein eine einem einen einer eines er es fur habe haben ich ihm ihn ihr ihre im
in ist ja kann mein meine mich mir mit nach nicht noch nur oder sein seine sich sie sind so uber um und uns unser vom von vor wann warum was welche welcher
welches wem wen wenn wer werden wie wieso wir wird wo zu zum zur`;
const FRENCH = `a au aux avec ce ces cette comment dans de des du elle elles en est et etait il ils je la le les leur lui ma mais mes mon nous ne on ou
par pas pour pourquoi qu quand que quel quelle quelles quels qui quoi sa se ses sont sur ta te tes tu un une vous y d l`;
const SPANISH = `al algo como con cual cuales cuando de del donde el ella ellos en eres es esta este esto estan fue ha han hay la las le les lo los me mi mis muy
no nos o para pero por porque que quien quienes se ser si sobre su sus tu un una unos unas y yo`;
const PORTUGUESE = `ao aos as com como da das de do dos e ela ele eles em esta este eu foi isso isto ja mais mas me meu minha na nao nas no nos o onde os ou para
pela pelo por porque qual quais quando que quem se sem ser seu sua sao tem um uma voce`;

let stopWords: ReadonlySet<string> | null = null;

/** Takes a word as `fold` leaves it. */
export function isStopWord(word: string): boolean {
  stopWords ??= new Set([ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE].flatMap((list) => list.split(/\s+/)));
  return stopWords.has(word);
}

/** Words of no other language that is written like English. */
const ONLY_ENGLISH = new Set(
  'the what which who whose how did does when where why with and that this these were have has from your you they their'.split(
    ' ',
  ),
);

export function speaksEnglish(words: readonly string[]): boolean {
  return words.some((word) => ONLY_ENGLISH.has(word.toLowerCase()));
}

let foreign: ReadonlySet<string> | null = null;

/** Whether one of the words is a stop word of another language, and none of English. */
export function speaksOtherwise(words: readonly string[]): boolean {
  foreign ??= listForeign();
  return words.some((word) => foreign!.has(word.toLowerCase()));
}

function listForeign(): ReadonlySet<string> {
  const english = new Set(ENGLISH.split(/\s+/));
  const others = [GERMAN, FRENCH, SPANISH, PORTUGUESE].flatMap((list) => list.split(/\s+/));
  return new Set(others.filter((word) => !english.has(word)));
}
