import { COLON_CLOCK, NUMBER, numberPattern, quarterPattern, ZONE } from '../time-patterns.ts';
import type { TimePattern, TimeWord } from '../time-words.ts';

const NUMERAL = '\\d{1,4}|[〇零一二三四五六七八九十两兩]{1,4}';
const DIGITS = '〇一二三四五六七八九';

/** 十五 → 15, 二十 → 20, 两 → 2. */
function readNumeral(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const plain = text.replace(/零/g, '〇').replace(/[两兩]/g, '二');
  const ten = plain.indexOf('十');
  if (ten < 0) return Number([...plain].map((digit) => DIGITS.indexOf(digit)).join(''));
  const [tens, ones] = [plain.slice(0, ten), plain.slice(ten + 1)];
  return (tens === '' ? 1 : DIGITS.indexOf(tens)) * 10 + (ones === '' ? 0 : DIGITS.indexOf(ones));
}

/** 午後3時半, 下午3点20分; 3時間 is a length. */
const CLOCK: TimePattern = {
  form: new RegExp(
    `(?<half>午前|午後|上午|下午|晚上|早上|凌晨|中午|夜)?の?(?<h>${NUMERAL})(?:時|时|點|点)(?![間间])(?:(?<m>${NUMERAL})分|(?<thirty>半))?`,
    'y',
  ),
  read({ groups = {} }) {
    let hour = readNumeral(groups.h ?? '');
    if (hour < 12 && /午後|下午|晚上|夜/.test(groups.half ?? '')) hour += 12;
    const minute = groups.thirty !== undefined ? 30 : groups.m === undefined ? null : readNumeral(groups.m);
    return hour > 23 || (minute ?? 0) > 59 ? null : [{ kind: 'clock', hour, minute, second: null }];
  },
};

function numeralPattern(after: string, toWord: (value: number) => TimeWord | null): TimePattern {
  return numberPattern(new RegExp(`(?<n>${NUMERAL})${after}`, 'y'), toWord, readNumeral);
}

/** Chinese and Japanese write numbers, dates and times of day alike. */
export const HAN_PATTERNS: readonly TimePattern[] = [
  CLOCK,
  COLON_CLOCK,
  numberPattern(/(?<n>(?:19|20|21)\d{2})年?/y, (year) => ({ kind: 'year', year })),
  numeralPattern('月(?:份)?(?!前)', (month) => (month >= 1 && month <= 12 ? { kind: 'month', month } : null)),
  // The day of a month; 3日前 and 3日間 count days.
  numeralPattern('(?:日|号|號)(?!前|間|之前|以前|后|後|内)', (value) =>
    value >= 1 && value <= 31 ? { kind: 'number', value, ordinal: true } : null,
  ),
  quarterPattern(/第(?<n>[1-4])(?:四半期|季度|季)/y),
  numeralPattern('', (value) => ({ kind: 'number', value })),
  NUMBER,
  ZONE,
];
