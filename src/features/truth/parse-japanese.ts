import { readValue, type Statement, US, type Word } from './statement.ts';

/** What was, or holds in some case only, contradicts nothing that is. What must be is said by a double negation: it is left alone. */
const BOUND =
  /場合|なら|れば|たら|もし|とき|時[はに]|以前|前は|かつて|昨日|昨年|先週|先月|だった|でした|ました|[いしっん][ただ][。]?$|かもしれ|でしょう|だろう|可能性|だけで|のみならず|例えば|たとえば|なければ|なくては|ないと|か[。]?$|[？?]|\d{4}-\d\d-\d\d/u;
const MAX_CHARS = 90;
const MAX_SUBJECT_CHARS = 30;
const TOPIC = /^(.{1,60}?(?:[\p{Script=Han}\p{Script=Katakana}ーA-Za-z0-9」）)]))(?:では|には|は)(.+)$/u;
const POINTING =
  /^(?:これ|それ|あれ|この|その|あの|ここ|そこ|こちら|彼|誰|何|どの|すべて|全て|各|また|ただし|しかし|そして|または|および|次|以下|上記|同|一部|ほか)/u;
const US_WORDS = /^(?:私たち|私達|我々|私|僕|あなた|ユーザー?|チーム)$/u;
/** At the end of what is said of it, the first that fits. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/を?サポート|に?対応/u, 'support'],
  [/を?(?:使用|利用|使[いうえおわっ])/u, 'use'],
  [/が?必要|を?要求/u, 'need'],
  [/[でを]?(?:リッスン|待ち受け)/u, 'listen'],
  [/[でに]?(?:実行|動作|稼働)/u, 'run'],
  [/に住/u, 'live'],
  [/[がを]?好/u, 'like'],
  [/[がを]?嫌/u, 'hate'],
  [/[にを]?(?:保存|格納)/u, 'store'],
  [/[をに]?デプロイ/u, 'deploy'],
  [/を?(?:含|包含)/u, 'contain'],
  [/を?許可/u, 'allow'],
  [/[にで]?(?:開始|始[めま])/u, 'start'],
  [/[にで]?(?:終了|終わ)/u, 'end'],
  [/を?返/u, 'return'],
];
const NEGATED =
  /(?:ない|ません|なく|せん|ず|ぬ)(?:です|でください|こと|ようにします|ようにしてください)?$|禁止(?:です|されています|する|します)?$|不要(?:です|である)?$/u;
const IS =
  /(?:では|じゃ|で)(?:ありません|ない(?:です)?)$|(?:です|だ|である|であり|になります|となります|となっています|に設定されています|です。)$/u;

export function parseJapanese(sentence: string): Statement | null {
  const text = sentence.replace(/[。！!.]+$/u, '').trim();
  if (BOUND.test(text) || text.length > MAX_CHARS) return null;
  const colon = /^([^：:、はをが]{2,20})[：:]\s*(\S.{0,11})$/u.exec(text);
  if (colon !== null) return make(sentence, { subject: colon[1]!, verb: 'be', object: colon[2]!, isNegated: false });
  const [, subject, said] = TOPIC.exec(text) ?? [];
  // A clause before or after may say anything.
  if (subject === undefined || said === undefined || /、/u.test(text)) return null;
  const isNegated = NEGATED.test(said);
  let last: { at: number; verb: string } | null = null;
  for (const [pattern, verb] of VERBS)
    for (const found of said.matchAll(new RegExp(pattern, 'gu')))
      if (last === null || found.index > last.at) last = { at: found.index, verb };
  // What follows the verb is its ending, and no more.
  if (last !== null && said.length - last.at <= 16)
    return make(sentence, { subject, verb: last.verb, object: said.slice(0, last.at), isNegated });
  if (last === null && IS.test(said))
    return make(sentence, { subject, verb: 'be', object: said.replace(IS, ''), isNegated });
  return null;
}

interface Read {
  subject: string;
  verb: string;
  object: string;
  isNegated: boolean;
}

function make(sentence: string, { subject: before, verb, object, isNegated }: Read): Statement | null {
  const subject = before.trim();
  if (subject.length > MAX_SUBJECT_CHARS || POINTING.test(subject)) return null;
  return {
    text: sentence,
    language: 'ja',
    subject: US_WORDS.test(subject) ? US : subject.toLowerCase(),
    verb,
    object: toWords(object),
    isNegated,
  };
}

/** Particles, which are written in hiragana, fall away. */
function toWords(text: string): Word[] {
  const found =
    text.match(/[月火水木金土日]曜日?|\d{1,2}月|[A-Za-z0-9_$€@#/.:%+-]+|\p{Script=Han}+|[\p{Script=Katakana}ー]+/gu) ??
    [];
  return found.map((part): Word => {
    if (/曜|^\d{1,2}月$/u.test(part)) return { term: part.replace(/曜$/u, '曜日'), kind: 'day' };
    const plain = part.toLowerCase().replace(/[.:]+$/, '');
    const value = readValue(plain);
    if (value !== null) return value;
    return { term: plain, kind: /[a-z0-9]/.test(plain) ? 'name' : 'word' };
  });
}
