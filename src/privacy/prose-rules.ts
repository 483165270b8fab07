import { isPhrase, isPlainWord, looksLikeKey, looksMade } from './judge-value.ts';
import { type ProseValue, readProseValue } from './read-value.ts';
import { matchAt, type Range, type SecretRule } from './secret-rule.ts';

/** `for the router`, `du serveur`, `de root en 10.0.0.1`: what the password is of. */
const OF =
  "(?:[ \\t]+(?:for|of|on|to|at|in|from|für|fürs|von|vom|zum|zur|auf|im|beim|des|der|de|du|pour|sur|d['’]|del|para|en|do|da|dos|em|no|na)(?:[ \\t]+[\\p{L}\\d._/'’@-]{0,31}[\\p{L}\\d/]){1,5}?)?";
const STILL =
  '(?:[ \\t]+(?:now|still|currently|just|actually|simply|probably|always|again|temporarily|jetzt|nun|aktuell|noch|immer|derzeit|momentan|wieder|einfach|auf|maintenant|toujours|actuellement|désormais|ahora|actualmente|todavía|siendo|agora|ainda|sendo|set|changed|reset|to|called|following|the|as|follows|this|one)){0,3}';
const IS =
  'is|was|are|were|will[ \\t]+be|should[ \\t]+be|must[ \\t]+be|can[ \\t]+be|remains?|stays?|became|becomes|equals|reads|ist|war|lautet|lautete|heißt|heisst|bleibt|wäre|est|était|sera|reste|devient|es|era|será|sigue|fue|é|foi|continua|ficou';
const BECOMES =
  'to|auf|zu|à|en|a|por|para|(?:has[ \\t]+been|was|got|is|wurde|a[ \\t]+été|fue|ha[ \\t]+sido|foi)[ \\t]+(?:set|changed|reset|updated|switched|rotated|auf|zu|changée?|modifiée?|remplacée?|cambiada|actualizada|alterada|mudada|trocada)(?:[ \\t]+(?:back|to|en|par|por|a|para))?';
const END_OF_LINK = `${STILL}[ \\t]*[:=]?(?:[ \\t]+|(?=["'\`“„«]))`;
/** From the word to the value, the surest first. */
const STATES = new RegExp(`\`?${OF}(?:['’]s|[ \\t]+(?:${IS})|,?[ \\t]+c['’]est)${END_OF_LINK}`, 'iuy');
/** Bold, in Markdown or HTML, may end before or after the colon. */
const BOLD = '(?:\\*\\*|__|</(?:b|strong|em|dt|th|td|label)>)?';
const SIGNS = new RegExp(
  `${OF}(?:[ \\t]{0,2}${BOLD}(?:[:=→]|=>|->)${BOLD}(?:[ \\t]+|(?=["'\`“„«]))|[ \\t]{0,2}[：＝][ \\t]*|[ \\t]+[-–—][ \\t]+)`,
  'iuy',
);
const CHANGES = new RegExp(`\`?${OF}[ \\t]+(?:${BECOMES})${END_OF_LINK}`, 'iuy');
const LINK_CJK = /(?:[はがを：:=＝\s]|です|是|为|為|改成|改为|改為|设为|设置为|設為|就是|变成|了|叫|的){1,6}/uy;
const BESIDE = /[ \t]{1,2}/y;

const PASSWORD =
  /(?:pass(?:word|wort|phrase|code|wd)|kennwort|mot[ -]de[ -]passe|contraseñas?|senha|palavra[ -]passe|clave)(?:[ \t]+(?:root|wifi|wi-fi|wlan|admin|sudo|de acceso))?/iuy;
/** Test programs report with PASS, and a colon. */
const SHORT = /(?:pass(?!(?<=PASS):)|pw|pwd|mdp|pswd)(?![\p{L}\d_])/iuy;
const CJK = /(?:パスワード|密码|密碼|口令|暗証番号|密钥)/uy;
const NETWORK_KEY =
  /(?:(?:wi-?fi|wlan|wpa2?|network|netzwerk)[ -]?(?:key|schlüssel|code)|clé (?:wifi|wpa))(?![\p{L}\d_])/iuy;
const KEY =
  /(?:shared secret|client secret|secret|(?:api|access|secret)[ -]key|(?:access|api|auth|bearer)[ -]token|token|schlüssel|clé d'api)(?![\p{L}\d_])/iuy;

/** Compounds, `Admin-Passwort` and `Datenbankpasswort`, count; `bypass` does not. */
function standsAlone(text: string, at: number, mayCompound: boolean): boolean {
  return mayCompound || !/[\p{L}\d_$.]/u.test(text[at - 1] ?? '');
}

/** A plain word counts between quotes, and where a verb says that it is the password: after a colon it may be code. */
function judgeStated(value: ProseValue, link?: RegExp): Range | null {
  const { text, quoted } = value;
  return looksMade(text) || (quoted && (isPhrase(text) || (link !== SIGNS && isPlainWord(text)))) ? value.range : null;
}

function judgeKey(value: ProseValue): Range | null {
  const { text } = value;
  return looksMade(text) &&
    (/\d/.test(text) || value.quoted) &&
    (text.length < 16 ? /[!@#$%^&*?~-]|[a-z].*\d/.test(text) : looksLikeKey(text, 16) || /[!@#$%^&*?~-]/.test(text))
    ? value.range
    : null;
}

/** A value right beside the word must show more: `password SHA256` and `password field2` are said, too. */
function judgeBeside(value: ProseValue, text: string, at: number, keyword: RegExp): Range | null {
  if (!looksMade(value.text) || /^[-#]|^\w+=/.test(value.text)) return null;
  const before = text.slice(Math.max(0, at - 60), at);
  if (keyword === SHORT) return AFTER_NAME.test(before) ? value.range : null;
  return value.quoted || BEFORE_VALUE.test(before) || /[!@#$%^&*?~]/.test(value.text) ? value.range : null;
}

const AFTER_NAME =
  /\b(?:user(?:name)?|login|benutzer|account|konto|utilisateur|identifiant|usuario|usuário)\b[^\n]{1,40}[,;/]?[ \t]+(?:and[ \t]+|und[ \t]+|et[ \t]+|y[ \t]+|e[ \t]+)?$/iu;
const BEFORE_VALUE =
  /(?:(?:with|using|use|has|and|mit|und|dem|avec|et|utilise|con|usa|y|com|e|old|new|my|用|login|user(?:name)?|usuario|usuário|utilisateur|benutzer|identifiant|用户名|账号)\b[^\n]{0,32}|[(,，、])[ \t]*(?:the|a|le|la|das|dem|mot de)?[ \t]*$/iu;

interface Stated {
  keyword: RegExp;
  links: readonly RegExp[];
  /** It may be the end of a longer word. */
  compound: boolean;
  beside: boolean;
  judge(value: ProseValue, link: RegExp): Range | null;
}

function statedRule(literals: string, { keyword, links, compound, beside, judge }: Stated): SecretRule {
  const find: SecretRule['find'] = (text, at) => {
    const word = matchAt(keyword, text, at)?.[0];
    if (word === undefined || !standsAlone(text, at, compound)) return null;
    const end = at + word.length;
    for (const link of links) {
      const linked = matchAt(link, text, end);
      const value = linked === null ? null : readProseValue(text, end + linked[0].length);
      const range = value === null ? null : judge(value, link);
      if (range !== null) return range;
    }
    const blank = beside ? matchAt(BESIDE, text, end) : null;
    const value = blank === null ? null : readProseValue(text, end + blank[0].length);
    return (
      (value === null ? null : judgeBeside(value, text, at, keyword)) ??
      (keyword === SHORT ? null : judgeBefore(text, at))
    );
  };
  return {
    kind: 'password',
    mode: 'redact',
    literals: literals.split(','),
    anyCase: true,
    glued: true,
    context: true,
    find,
  };
}

const HAS_AS = /[ \t](?:as|als|comme|como)[ \t]|[を作当設设]/;
const AS =
  /(?:^|[\s"'`“„«‘「（(])([^\s"'`\\“”„«»‘’「」，。]{4,72})["'`”“»’」]?(?:[ \t]+(?:as|als|comme|como)[ \t]+(?:\S{1,20}[ \t]+){0,3}|[ \t]*(?:を|作为|作為|当|設為|设为)[ \t]*)$/u;
const TYPE =
  /(?:type|enter|use|try|tippe|gib|verwende|nimm|tape|saisis|utilise|escribe|usa|pon|digite|use)[ \t]+["'`“„«]?([^\s"'`\\“”„«»‘’]{4,72})["'`”“»]?[ \t]+(?:when|if|for|wenn|für|ein|quand|pour|cuando|para|quando)[ \t]+[^\n.!?]{0,40}$/iu;

/** `use … as the password` */
function judgeBefore(text: string, at: number): Range | null {
  const from = Math.max(0, at - 120);
  const before = text.slice(from, at);
  const match = (HAS_AS.test(before) ? AS.exec(before) : null) ?? TYPE.exec(before);
  if (match === null || !looksMade(match[1]!)) return null;
  const start = from + match.index + match[0].indexOf(match[1]!);
  return [start, start + match[1]!.length];
}

const PAIR =
  /(?:log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed)?[ -]?in|credentials?|creds|logins?|user\/pass(?:word)?|zugangsdaten|anmelden|anmeldedaten|melde|identifiants?|connecte(?:-toi|z-vous)|credenciales|credenciais|entra|entre|accede|acesse|acceso|acesso|ログイン|账号|登录)(?![a-z])[^\n.;]{0,40}?(?<=[\s:：=は])([\w][\w.@+-]{1,40})(?:[ \t]+\/[ \t]+|\/|:[ \t]?)/iuy;

const pairRule: SecretRule = {
  kind: 'password',
  mode: 'redact',
  literals: [
    'log',
    'sign',
    'cred',
    'user/pass',
    'zugangs',
    'anmeld',
    'melde',
    'identifiant',
    'connecte',
    'entr',
    'acce',
    'aces',
    'ログイン',
    '账号',
    '登录',
  ],
  anyCase: true,
  glued: false,
  context: true,
  find(text, at) {
    const match = matchAt(PAIR, text, at);
    if (match === null) return null;
    const value = readProseValue(text, at + match[0].length);
    return value !== null && looksMade(value.text) && !/^(?:https?|ftp|ssh)$/i.test(match[1]!) ? value.range : null;
  },
};

/** Passwords said in a sentence, in the languages that the rules know: English, German, French, Spanish, Portuguese, Japanese, Chinese. */
export const PROSE_RULES: readonly SecretRule[] = [
  statedRule('pass,kennwort,mot,contrase,senha,palavra,clave', {
    keyword: PASSWORD,
    links: [STATES, SIGNS, CHANGES],
    compound: true,
    beside: true,
    judge: judgeStated,
  }),
  statedRule('pass,pw,mdp,pswd', {
    keyword: SHORT,
    links: [STATES, SIGNS],
    compound: false,
    beside: true,
    judge: judgeStated,
  }),
  statedRule('パスワード,密码,密碼,口令,暗証番号,密钥', {
    keyword: CJK,
    links: [LINK_CJK],
    compound: true,
    beside: false,
    judge: judgeStated,
  }),
  statedRule('wifi,wi-fi,wlan,wpa,network,netzwerk,clé', {
    keyword: NETWORK_KEY,
    links: [STATES, SIGNS],
    compound: true,
    beside: false,
    judge: judgeStated,
  }),
  statedRule('shared,client,secret,api,access,auth,bearer,token,schlüssel,clé', {
    keyword: KEY,
    links: [STATES],
    compound: true,
    beside: false,
    judge: judgeKey,
  }),
  pairRule,
];
