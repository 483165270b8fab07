import { ENGLISH } from './grammars/english.ts';
import { FRENCH } from './grammars/french.ts';
import { GERMAN } from './grammars/german.ts';
import { type Grammar, pairs } from './grammars/grammar.ts';
import { PORTUGUESE } from './grammars/portuguese.ts';
import { SPANISH } from './grammars/spanish.ts';
import { type Statement, US, type Word } from './statement.ts';

/** What decides, by language, whether two values exclude each other. */
type LanguageRules = Pick<Grammar, 'single' | 'opposites'>;

const CHINESE: LanguageRules = {
  single:
    /默认|首选|主要|当前|负责人|所有者|状态|语言|数据库|框架|版本|端口|区域|地区|编辑器|名称|名字|格式|颜色|时区|截止|上限|限制|超时|分支|许可证|角色|城市|供应商|主机|大小|地址|密码|价格|生日|间隔|时间|日期|模型|标题|级别|编码|协议|公司|作者|邮箱|电话|值|数量/,
  opposites: pairs(
    '启用/禁用 启用/停用 开启/关闭 打开/关闭 激活/停用 公开/私有 有效/无效 同步/异步 必填/可选 必需/可选 手动/自动 深色/浅色 升序/降序 允许/禁止 真/假',
  ),
};

const JAPANESE: LanguageRules = {
  single:
    /デフォルト|既定|お気に入り|現在|所有者|担当|責任者|状態|ステータス|言語|データベース|フレームワーク|バージョン|ポート|リージョン|地域|エディタ|名前|名$|形式|フォーマット|色|タイムゾーン|締め?切|期限|上限|制限|タイムアウト|ブランチ|ライセンス|役割|都市|プロバイダ|ホスト|サイズ|アドレス|パスワード|価格|誕生日|間隔|時間|日付|モデル|タイトル|レベル|エンコ|プロトコル|会社|作者|メール|電話|値|数$/,
  opposites: pairs(
    '有効/無効 オン/オフ 公開/非公開 必須/任意 同期/非同期 手動/自動 許可/禁止 昇順/降順 真/偽 タブ/スペース ダーク/ライト',
  ),
};

const LANGUAGE_RULES: Readonly<Record<string, LanguageRules>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  ja: JAPANESE,
  zh: CHINESE,
};

export interface Contradiction {
  /** 0 to 1. */
  confidence: number;
  reason: string;
}

/** What is said with a number after these verbs has one value at a time. */
const MEASURED = new Set(['be', 'listen', 'cost', 'expire', 'run', 'take', 'last', 'start', 'end', 'default']);

const KINDS_OF_VALUES: Readonly<Record<Word['kind'], string>> = {
  number: 'another number',
  version: 'another version',
  time: 'another time',
  day: 'another day',
  name: 'another name',
  word: 'another value',
};

/** Whether two statements of one subject cannot both hold; null where they can, or nobody can tell. */
export function judgeStatements(a: Statement, b: Statement): Contradiction | null {
  if (a.language !== b.language || a.subject !== b.subject || a.verb !== b.verb) return null;
  const rules = LANGUAGE_RULES[a.language]!;
  const [onlyA, onlyB] = [without(a.object, b.object), without(b.object, a.object)];
  const shared = a.object.length - onlyA.length;
  if (onlyA.length === 0 && onlyB.length === 0) {
    if (a.isNegated === b.isNegated || (shared === 0 && a.subject.split(' ').length < 2)) return null;
    return { confidence: 0.95, reason: 'One says what the other denies' };
  }
  if (a.isNegated || b.isNegated) return null;
  const opposite = rules.opposites.find(([x, y]) => isPair(onlyA, onlyB, [x, y]) || isPair(onlyA, onlyB, [y, x]));
  if (opposite !== undefined) return { confidence: 0.92, reason: 'They say opposites' };
  if (onlyA.length === 0 || onlyB.length === 0 || onlyA.length > 3 || onlyB.length > 3) return null;
  const kind = commonKind(kindOf(onlyA), kindOf(onlyB));
  if (kind === null) return null;
  if (!isSingle(a, { kind, shared })) return null;
  // "Use streaming in A", "use streaming in B": what is used is the same, and where is no matter of one or the other.
  if (a.verb === 'use' && !onlyA.includes(a.object[0]!)) return null;
  const [first, second] = [onlyA, onlyB].map((words) => words.map(({ term }) => term).join(' '));
  const confidence = kind === 'word' ? 0.85 : kind === 'name' ? 0.88 : 0.95;
  return { confidence, reason: `The same subject has ${KINDS_OF_VALUES[kind]}: ${first} or ${second}` };
}

/** Whether only one value can hold: what the subject is says so, or the value measures something, or all else is said alike. */
function isSingle(
  { subject, verb, object, language }: Statement,
  { kind, shared }: { kind: Word['kind']; shared: number },
): boolean {
  const attribute = `${subject} ${object.map(({ term }) => term).join(' ')}`;
  const isNamed = subject !== US;
  const { single } = LANGUAGE_RULES[language]!;
  if (kind === 'number' || kind === 'version' || kind === 'time')
    return isNamed && (MEASURED.has(verb) || single.test(attribute));
  if (kind === 'day') return (isNamed || verb === 'deploy' || verb === 'release') && verb !== 'work';
  if (verb === 'be') return isNamed && single.test(subject);
  if (verb === 'use' || verb === 'run' || verb === 'store' || verb === 'deploy')
    return shared > 0 && object.length <= 5 && (isNamed || kind === 'name');
  if (verb === 'live' || verb === 'belong' || verb === 'default' || verb === 'own') return isNamed;
  return verb === 'prefer' && (shared > 0 || single.test(attribute));
}

/** A name is a word that somebody has written with a capital. */
function commonKind(a: Word['kind'], b: Word['kind']): Word['kind'] | null {
  if (a === b) return a;
  return (a === 'name' || a === 'word') && (b === 'name' || b === 'word') ? 'word' : null;
}

function kindOf(words: readonly Word[]): Word['kind'] {
  const measured = words.find(({ kind }) => kind !== 'word' && kind !== 'name');
  return measured?.kind ?? (words.some(({ kind }) => kind === 'name') ? 'name' : 'word');
}

function isPair(a: readonly Word[], b: readonly Word[], [x, y]: readonly [string, string]): boolean {
  return a.length === 1 && b.length === 1 && a[0]!.term.startsWith(x) && b[0]!.term.startsWith(y);
}

function without(words: readonly Word[], others: readonly Word[]): Word[] {
  const rest = others.map(({ term }) => term);
  return words.filter(({ term }) => {
    const at = rest.indexOf(term);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
