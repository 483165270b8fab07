import { avoidPair } from './cut-text.ts';
import { foldCase } from './fold-case.ts';

/**
 * Letters that look like a Latin one, each line its letter and those that stand for it. Composed forms, full width, mathematical alphabets, ligatures and
 * superscripts are not here: Unicode's compatibility form unfolds them.
 */
const LOOK_ALIKES = `
aаαɑᴀꭺⲁаɐ bЬвʙᏏᖯƅβⲃ cсϲᴄⅽꮯⲥс dԁᴅꭰđɗ eеєεᴇꬲꭼҽёєɛⲉ fғƒꜰ gɡցԍɢᶃ hһнʜηհⲏ lіιıɪӏוןⲓ|ιіᛁǀ∣ⵏ jјϳᴊյ kкκᴋⲕĸ
mмᴍϻⲙ nпηɴոռⲛ oоοσօᴏօ০ഠသⲟߋөøᲿ pрρᴘⲣҏ qԛգզ rгᴦʀꭇꮁⲅ sѕꜱꮪșʂ tтτᴛⲧŧ uυսᴜцⴎʋ vνѵᴠ wѡԝաᴡωшɯ xхχ᙮ⲭ×ҳ yуγүʏყⲩ zᴢʐⲍ`;

/** Of Cherokee, Lisu and the like only capitals look Latin: before case is folded. */
const CAPITALS = 'AᎪꓮ BᏴꓐ CᏟꓚ DᎠꓓ EᎬꓰ FꓝᖴϜ GᏀꓖ HᎻꓧ lᏆꓲ JᎫꓙ KᏦꓗ LᏞꓡ MᎷꓟ NꓠႶ OꓳႭ PᏢꓑ RᎡꓣ SᏚꓢ TᎢꓔ UꓴՍ VᏙꓦ WᎳꓪ XꓫⅩ YꓬᎩ ZᏃꓜ';

/** Made for the first text that has such a letter: few have any. */
let alike: ReadonlyMap<string, string> | null = null;

function latinLike(character: string): string | undefined {
  alike ??= new Map(
    `${LOOK_ALIKES} ${CAPITALS}`
      .split(/\s+/)
      .flatMap(([letter = '', ...others]) => others.map((other) => [other, letter])),
  );
  return alike.get(character);
}

/** The zeros of the scripts that have digits of their own; the other nine follow each. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];

/** Negative squares and circles, and the letters of flags: an A is at each of these places. */
const PICTURED = [0x1f150, 0x1f170, 0x1f1e6];

const OTHER = /[^\t\n\x20-\x7e]/u;
/** What nobody sees: controls, joiners, fillers, blanks without a width; whatever has a width of its own stays. */
const UNSEEN = [
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Variation_Selector}',

  '\\u034f',
  '\\u115f',
  '\\u1160',
  '\\u17b4',
  '\\u17b5',
  '\\u180b-\\u180f',
  '\\u2800',
  '\\u3164',
  '\\uffa0',
  '\\ufffc',
];
const INVISIBLE = new RegExp(`[${UNSEEN.join('')}]`, 'gu');
/** Above or below a letter. */
const COMBINING = [
  '\\u0300-\\u036f',
  '\\u0483-\\u0489',
  '\\u1ab0-\\u1aff',
  '\\u1dc0-\\u1dff',
  '\\u20d0-\\u20ff',
  '\\ufe20-\\ufe2f',
];
const ACCENTS = new RegExp(`[${COMBINING.join('')}]`, 'gu');
const DASHES = /[\u2010-\u2015\u2212\u2043\u02d7\ufe58\ufe63\u2500]/gu;
const QUOTES = /["'`´‘’‚‛“”„‟«»‹›「」『』＂＇′″ʹʺʼˈ]/gu;
/** Also the word by which a prompt asks to be remembered. */
const MARKUP = /(?<![\p{L}\p{N}_#])#remember(?![\p{L}\p{N}_-])|\*+|__+|~~+|^[ \t]*(?:[-+•·‣◦>]|#{1,6})[ \t]+/gimu;
/** What ends a sentence or a part of it: before a blank, or at the end. A point inside a number or a name stays. */
const STOPS = /[.,;:!?…。，、；：！？।؟،·]+(?=[\s)\]]|$)/gu;
const BRACKETS_AROUND = /^[\s([{<]+|[\s)\]}>]+$/gu;
/** Between two numbers a blank tells them apart. */
const BLANKS_IN_NUMBERS = /(\d)\s+(?=\d)/gu;
const BLANKS = /\s+/gu;

/**
 * One spelling for all that a person reads as the same text: whatever their case, spacing, accents, quotes, sentence marks and emphasis, with letters that look alike
 * made one, and without what nobody sees. Two texts with one folded form claim the same; a paraphrase has another. There is a pause after each stretch of a long text.
 */
export function* foldInSteps(text: string): Generator<undefined, string, undefined> {
  let folded = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfStretch(text, at);
    folded += foldStretch(text.slice(at, end));
    at = end;
    if (at < text.length) yield;
  }
  if (folded !== '') return folded;
  return (OTHER.test(text) ? unfold(text.slice(0, STRETCH)) : text).trim();
}

/** Characters that are folded in one go; some unfold to eighteen. */
const STRETCH = 4_000;
const LOOK_BACK = 500;
/** After a blank between two letters, and between signs of a script without blanks: what is folded apart is there what it is folded together. */
const BETWEEN_WORDS = /(?<=[a-z])[ \n](?=[a-z])|(?<=[\u3041-\u30ff\u3400-\u9fff])(?=[\u3041-\u30ff\u3400-\u9fff])/gi;

function endOfStretch(text: string, start: number): number {
  const aim = start + STRETCH;
  if (aim >= text.length) return text.length;
  const from = aim - LOOK_BACK;
  let cut = -1;
  for (const { index, 0: blank } of text.slice(from, aim).matchAll(BETWEEN_WORDS)) cut = index + blank.length;
  return cut >= 0 ? from + cut : avoidPair(text, aim);
}

function foldStretch(text: string): string {
  return foldCase(OTHER.test(text) ? unfold(text) : text)
    .replace(MARKUP, '')
    .replace(QUOTES, '')
    .replace(STOPS, '')
    .replace(BRACKETS_AROUND, '')
    .replace(BLANKS_IN_NUMBERS, '$1\u0001')
    .replace(BLANKS, '')
    .replace(/[il|1]/g, 'l')
    .replaceAll('0', 'o');
}

function unfold(text: string): string {
  const composed = text
    .replace(/[^\S\n]/gu, ' ')
    .replace(INVISIBLE, (one) => (one === '\n' || one === '\t' ? one : ''));
  const plain = composed
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, (one) => (one === '\n' ? one : ''))
    .replace(DASHES, '-');
  let latin = '';
  for (let at = 0; at < plain.length; ) {
    const end = Math.max(at + 1, avoidPair(plain, Math.min(plain.length, at + AT_ONCE)));
    latin += Array.from(plain.slice(at, end), toLatin).join('');
    at = end;
  }
  return latin.normalize('NFC');
}

/** A longer list of characters would outlive the collections of young garbage. */
const AT_ONCE = 512;

/** Texts have few different characters, and each is looked up in several ways. */
const latinOf = new Map<string, string>();
const MOST_KEPT = 10_000;

function toLatin(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x80) return character;
  const kept = latinOf.get(character);
  if (kept !== undefined) return kept;
  if (latinOf.size >= MOST_KEPT) latinOf.clear();
  const latin = readAsLatin(character, code);
  latinOf.set(character, latin);
  return latin;
}

function readAsLatin(character: string, code: number): string {
  const known = latinLike(character) ?? latinLike(foldCase(character));
  if (known !== undefined) return known;
  const zero = ZEROS.find((one) => code >= one && code < one + 10);
  if (zero !== undefined) return String(code - zero);
  const a = PICTURED.find((one) => code >= one && code < one + 26);
  return a === undefined ? character : String.fromCharCode(0x61 + code - a);
}
