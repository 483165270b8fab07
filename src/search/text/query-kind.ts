import { fold } from './fold.ts';
import { isStopWord } from './stop-words.ts';
import { isStopWordBeyondLatin } from './stop-words-by-script.ts';

/** What somebody types who looks for something: each kind resembles its answer in another way. */
export type QueryKind = 'question' | 'keywords' | 'remark' | 'name';

/** A query may be a whole page; its kind shows in its beginning and its end. */
const MAX_LOOKED_AT_CHARS = 400;
const MAX_NAME_WORDS = 2;
const MAX_KEYWORDS = 6;
/** Chinese and Japanese have no spaces: what is longer than this says something. */
const MAX_KEYWORD_CHARS = 8;

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_'’./:@#-]*/gu;
export const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ASKS = /[?？؟;]["')\]”»]?\s*$|^\s*¿/u;
const ASKS_WITHOUT_SPACES =
  /什么|甚麼|什麼|谁|誰|哪|几[个年月天次岁]|多少|如何|怎[么样麼樣]|为何|為何|何[のがをにで時人年]|吗|嗎|呢$|なに|なぜ|どこ|どの|どんな|いつ|いくつ|ですか|ますか|อะไร|ใคร|ที่ไหน|เมื่อไร|ทำไม|อย่างไร|เท่าไร/u;

/** Words with which a question begins, without accents; those of English also stand after a preposition. */
const OPENINGS = new Set(
  `what whats when where wheres which who whos whom whose why how hows is are am was were do does did can could should would will has have had
wer was wann wo warum wieso welche welcher welches welchen wem wen wie
qui que quoi ou quand pourquoi comment quel quelle quels quelles combien
quien quienes cual cuales cuando donde como cuanto cuantos cuanta cuantas
quem qual quais onde quanto quantos chi cosa dove perche quale quali quanti
wat waar wanneer waarom hoe welke kto co gdzie kiedy dlaczego jak ile cine ce unde cand cum cat
кто что где когда почему зачем как какой какая какие каким сколько чей
ποιος ποια ποιο ποιοι τι που ποτε πως γιατι ποσο
من ما ماذا متى اين كيف لماذا كم هل`.split(/\s+/),
);
const BEFORE_OPENINGS = new Set(
  'in at on of for from to by with about a an de en a por para per con di in mit von zu fur aus bei w z na o в на с о к от до'.split(
    ' ',
  ),
);

export function readQueryKind(query: string): QueryKind {
  const text = query.slice(0, MAX_LOOKED_AT_CHARS);
  const words = text.match(WORD) ?? [];
  if (ASKS.test(query.slice(-MAX_LOOKED_AT_CHARS))) return 'question';
  if (NO_SPACES.test(text)) {
    if (ASKS_WITHOUT_SPACES.test(text)) return 'question';
    return text.trim().length <= MAX_KEYWORD_CHARS ? 'keywords' : 'remark';
  }
  const folded = words.map((word) => fold(word));
  if (folded.length > 2 && beginsQuestion(folded)) return 'question';
  if (words.length <= MAX_NAME_WORDS && words.every(isName)) return 'name';
  const says = folded.some((word) => isStopWord(word.replace(/['’]/g, '')) || isStopWordBeyondLatin(word));
  return !says && words.length <= MAX_KEYWORDS ? 'keywords' : 'remark';
}

function beginsQuestion([first, second]: readonly string[]): boolean {
  return OPENINGS.has(first!) || (BEFORE_OPENINGS.has(first!) && OPENINGS.has(second!));
}

/** Written like a name, a number or an identifier. */
function isName(word: string): boolean {
  return /^\p{Lu}|[\p{N}_./:@#]|\p{Ll}\p{Lu}/u.test(word);
}
