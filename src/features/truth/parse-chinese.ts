import { readValue, type Statement, US, type Word } from './statement.ts';

/** What was, or holds in some case only, contradicts nothing that is. */
const BOUND =
  /如果|若|假如|倘若|除非|当.{0,30}时|时候|之前|以前|曾|昨天|去年|上周|上个?月|原来|原本|可能|也许|或许|大概|是否|吗|[？?]|不仅|不只|不但|例如|比如|否则|\d{4}-\d\d-\d\d/;
const MAX_CHARS = 80;
const MAX_SUBJECT_CHARS = 24;

/** Longest first. Those that are parts of other words are told by what stands beside them. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/(?<![但还只就于可正算])是(?!否|因|为了)/u, 'be'],
  [/等于/u, 'be'],
  [/(?<![因作行认成称视分转变改])为(?!了|此|何|什)/u, 'be'],
  [/使用|采用/u, 'use'],
  [/支持/u, 'support'],
  [/需要|要求/u, 'need'],
  [/监听/u, 'listen'],
  [/运行[在于]?/u, 'run'],
  [/位于/u, 'sit'],
  [/(?:居住|住)在/u, 'live'],
  [/更?喜欢|偏好/u, 'like'],
  [/讨厌/u, 'hate'],
  [/(?:存储|保存|存放)[在于到]/u, 'store'],
  [/部署[在于到]?/u, 'deploy'],
  [/包含/u, 'contain'],
  [/允许/u, 'allow'],
  [/属于/u, 'belong'],
  [/耗时|花费/u, 'cost'],
  [/持续/u, 'last'],
  [/返回/u, 'return'],
];
const STATES =
  /(启用|禁用|停用|开启|打开|关闭|激活|公开|私有|加密|有效|无效|可用|必需|可选|同步|异步)(?:的|状态|了)?$/u;
const NEGATION =
  /(?:并不|并非|从不|从未|绝不|不再|不能|不会|不要|不应该?|不得|不可以?|没有|无法|无需|禁止|请勿|不|没|未|勿|非)$/u;
const MODAL =
  /(?:已经|已|被|处于|默认|目前|现在|当前|总是|始终|通常|仍然?|都|也|仅|只|只能|必须|应该?|可以|能够?|会|将|请|均|就)$/u;
const POINTING =
  /^(?:它|这|那|他|她|其|此|该|某|哪|谁|什么|所有|每|有些|但|而|并|因|所以|于是|从而|以及|或|和|与|则|即|对于|在|当)/u;
const US_WORDS = /^(?:我们|我|你们?|您|用户|团队|大家)$/u;

export function parseChinese(sentence: string): Statement | null {
  if (BOUND.test(sentence) || sentence.length > MAX_CHARS) return null;
  const text = sentence.replace(/[。！；;.!]+$/u, '').replace(/^(?:目前|现在|默认情况下|注意)[，,:：]?/u, '');
  const colon = /^([^：:，,]{2,20})[：:]\s*(\S.{0,11})$/u.exec(text);
  if (colon !== null) return make(sentence, { subject: colon[1]!, verb: 'be', object: colon[2]! });
  // A clause that follows may say anything.
  if (/[，,]/u.test(text)) return null;
  let first: { at: number; length: number; verb: string } | null = null;
  for (const [pattern, verb] of VERBS) {
    const found = pattern.exec(text);
    if (found !== null && (first === null || found.index < first.at))
      first = { at: found.index, length: found[0].length, verb };
  }
  if (first !== null)
    return make(sentence, {
      subject: text.slice(0, first.at),
      verb: first.verb,
      object: text.slice(first.at + first.length),
    });
  const state = STATES.exec(text);
  return state === null ? null : make(sentence, { subject: text.slice(0, state.index), verb: 'be', object: state[1]! });
}

function make(
  sentence: string,
  { subject: before, verb, object }: { subject: string; verb: string; object: string },
): Statement | null {
  let subject = before.trim();
  let isNegated = false;
  for (;;) {
    const rest = subject.replace(NEGATION, '');
    if (rest !== subject) isNegated = !isNegated;
    const next = rest.replace(MODAL, '').trim();
    if (next === subject) break;
    subject = next;
  }
  const told = subject === '' && verb !== 'be';
  if ((subject === '' && !told) || subject.length > MAX_SUBJECT_CHARS || POINTING.test(subject)) return null;
  const words = toWords(object);
  return {
    text: sentence,
    language: 'zh',
    subject:
      told || US_WORDS.test(subject) ? US : subject.replace(/^我们的|的(?=\p{Script=Han}+$)/gu, '').toLowerCase(),
    verb,
    object: words,
    isNegated,
  };
}

function toWords(text: string): Word[] {
  const found =
    text.match(/(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}月|[A-Za-z0-9_$€@#/.:%+-]+|\p{Script=Han}+/gu) ?? [];
  return found.flatMap((part): Word[] => {
    if (/^(?:周|星期|礼拜)|^\d{1,2}月/u.test(part))
      return [{ term: part.replace(/^(?:星期|礼拜)/u, '周').replace('周天', '周日'), kind: 'day' }];
    if (/\p{Script=Han}/u.test(part))
      return part
        .split(/的|和|与|在|上|中|里|到|了|个/u)
        .filter((term) => term !== '')
        .map((term) => ({ term, kind: 'word' }));
    const plain = part.toLowerCase().replace(/[.:]+$/, '');
    return [readValue(plain) ?? { term: plain, kind: 'name' }];
  });
}
