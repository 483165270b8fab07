import { isStopWord } from '../../search/text/stop-words.ts';
import type { Entity, EntityKind } from './entity.ts';
import { keyOf } from './entity-key.ts';

/** More of a text is not looked at: documents have passages of their own. */
const MAX_CHARS = 50_000;

/** Not a name, although it looks like one. */
const NO_PEOPLE = new Set(
  `i we you he she it they this that these those there here who what when where why how the a an nobody somebody everybody everyone anyone someone
   monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
   today yesterday tomorrow users customers people team client server api github gitlab google slack jira docker kubernetes linux windows macos node
   python java javascript typescript rust react postgres postgresql sqlite redis claude chatgpt copilot cursor gemini codex note decision error bug fix
   ci qa ops support legal marketing sales both all each nothing everything please also then but and or if so because since while after before`.split(
    /\s+/,
  ),
);
const NO_TICKETS =
  /^(?:UTF|SHA|ISO|RFC|AVX|SSE|FIPS|IEEE|ANSI|CP|KOI|EUC|ARM|MIPS|PPC|RISC|X86|HMAC-SHA|MD|AES|RSA|GPT|TLS|SSL|HTTP|IPV|X|COVID|UTC|GMT|CPU|GPU|USB|PEP|ECMA|ES|MP|H|BM|ED|WPA|DDR|LZ|BASE|PBKDF|HMAC|CRC|INT|UINT|FLOAT|VT|ADR|Q|P|V)-\d+$/;

/** "The standard library", "a missing package": a word that says which one, and not its name. */
const DESCRIBES =
  /(?:al|ed|ing|ar|ent|ant|ive|ous|ary|ory|able|ible|ful|less|ic|ish)$|^(?:standard|correct|same|whole|entire|new|old|main|single|other|first|last|next|default|wrong|right|own|user|implicit|explicit|child|parent|root|test|system|base|core|c|go|python|ruby|rust|node|npm|debian|client|server)$/i;

const NAME = String.raw`\p{Lu}[\p{L}’'-]+(?: (?:van|von|de|del|di|da|la|le|bin|al) )?(?: \p{Lu}[\p{L}’'-]+){0,2}`;
const SAID =
  'said|says|asked|asks|told|wants|wanted|prefers|preferred|likes|hates|reported|suggested|suggests|proposed|decided|approved|reviewed|reviews|owns|wrote|maintains|fixed|found|noticed|merged|confirmed|thinks|insists|joined|left|works|leads|is responsible';
const BY =
  'by|from|with|ask|asked|told|tell|thanks to|according to|reviewer|reviewers|owner|owned by|assigned to|assignee|contact|maintainer|author|cc|met|talked to|spoke with|meeting with|call with|pair with|manager';

const EXTENSIONS =
  'ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|sql|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|md|mdx|rst|txt|csv|html|css|scss|vue|svelte|xml|proto|tf|lock|log|db|gradle|ipynb|bat|ps1';

/** By name: a word in capitals that begins with E is more often a keyword. */
const ERRNOS =
  'E2BIG|EACCES|EADDRINUSE|EADDRNOTAVAIL|EAFNOSUPPORT|EAGAIN|EAI_[A-Z]+|EALREADY|EBADENGINE|EBADF|EBADMSG|EBUSY|ECANCELED|ECHILD|ECONNABORTED|ECONNREFUSED|ECONNRESET|EDEADLK|EDESTADDRREQ|EDOM|EDQUOT|EEXIST|EFAULT|EFBIG|EHOSTDOWN|EHOSTUNREACH|EILSEQ|EINPROGRESS|EINTEGRITY|EINTR|EINVAL|EIO|EISCONN|EISDIR|ELOOP|EMFILE|EMLINK|EMSGSIZE|ENAMETOOLONG|ENEEDAUTH|ENETDOWN|ENETRESET|ENETUNREACH|ENFILE|ENOBUFS|ENODATA|ENODEV|ENOENT|ENOEXEC|ENOLCK|ENOMEM|ENOSPC|ENOSYS|ENOTCONN|ENOTDIR|ENOTEMPTY|ENOTFOUND|ENOTSOCK|ENOTSUP|ENOTTY|ENXIO|EOPNOTSUPP|EOVERFLOW|EPERM|EPIPE|EPROTO|EPROTONOSUPPORT|EPROTOTYPE|ERANGE|ERESOLVE|EROFS|ESHUTDOWN|ESPIPE|ESRCH|ESTALE|ETARGET|ETIMEDOUT|ETXTBSY|EUSAGE|EWOULDBLOCK|EXDEV';

interface Rule {
  kind: EntityKind;
  /** Without this in the text there is no match. */
  needs?: string;
  pattern: RegExp;
  /** From the match; null where it is none after all. */
  read?(match: RegExpExecArray): string | null;
}

const URLS: Rule = {
  kind: 'url',
  needs: '://',
  pattern: /\bhttps?:\/\/[^\s<>"'`\])}|\\]+/gi,
  read: ([text]) => text.replace(/[.,;:!?*]+$/, ''),
};

const PATH = /(?<![\w@/])(?:~?\.{0,2}\/|[A-Za-z]:\\)?(?:[\w.@-]+[/\\])+[\w.@-]*\w\.[A-Za-z]\w{0,7}(?!\w)/g;

function asFile([text]: RegExpExecArray): string | null {
  const isNone = /^\d|^(?:e|i)\.|\.(?:com|org|net|io|dev)$|^[A-Za-z]+\.js$/i.test(text) && !/^[a-z]+\.js$/.test(text);
  return isNone ? null : text;
}

/** In the order in which they claim their part of the text; what one has claimed the next does not see. */
const makeRules = (): readonly Rule[] => [
  URLS,
  {
    kind: 'person',
    needs: '@',
    pattern: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b/g,
    read: ([text]) => (/^(?:git|npm)@/.test(text) ? null : text),
  },
  { kind: 'ticket', pattern: /\bCVE-\d{4}-\d{4,7}\b/gi },
  { kind: 'ticket', needs: '#', pattern: /\b[\w.-]+\/[\w.-]+#\d{1,7}\b/g },
  {
    kind: 'ticket',
    pattern: /\b(?:issue|ticket|bug|story|task|PR|MR|pull request|merge request|GH)[ -]?(?:#|no\. )?(\d{1,7})\b/gi,
    read: ([, number]) => `#${number}`,
  },
  { kind: 'ticket', needs: '#', pattern: /(?<![\w#&/])#(\d{1,7})\b(?!\.\d)/g, read: ([, number]) => `#${number}` },
  {
    kind: 'ticket',
    pattern: /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b(?!-\d)/g,
    read: ([text]) => (NO_TICKETS.test(text) ? null : text),
  },
  { kind: 'decision', pattern: /\bADR[- ]?0*(\d{1,4})\b/gi, read: ([, number]) => `ADR-${number}` },
  { kind: 'decision', pattern: /\bdecision (?:no\. |#)?0*(\d{1,4})\b/gi, read: ([, number]) => `ADR-${number}` },
  {
    kind: 'decision',
    pattern:
      /(?:^|[.!?]\s+|\n)(?:Decision|Decided|We(?: have)? (?:decided|agreed|chose))(?: (?:to|that|on))?:?\s+([^.!?\n]{8,120})/g,
    read: ([, said]) => said!.trim(),
  },
  {
    kind: 'package',
    pattern:
      /\b(?:npm (?:i|install|add)|pnpm add|yarn add|pip3? install|poetry add|uv add|cargo add|gem install|go get|brew install|apt(?:-get)? install)((?: -[-\w]+)*) ((?:@[\w.-]+\/)?[A-Za-z][\w./-]*)/g,
    read: ([, , name]) => (isStopWord(name!) ? null : name!),
  },
  { kind: 'package', needs: '@', pattern: /(?<![\w/.])@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*/g },
  {
    kind: 'package',
    pattern: /\b(?:from|require\(|import)\s*['"]([@A-Za-z][^'"\s]{0,60})['"]/g,
    read: ([, name]) => name!,
  },
  {
    kind: 'package',
    needs: '@',
    pattern: /(?<![\w@/])([a-z][\w-]{1,40})@\^?~?\d+(?:\.\d+)+/g,
    read: ([, name]) => name!,
  },
  {
    kind: 'package',
    pattern: /\bthe ((?:@[\w.-]+\/)?`?[a-z][\w.-]{1,40}`?) (?:package|library|crate|gem|dependency)\b/g,
    read: ([, name]) => (name!.includes('`') || !DESCRIBES.test(name!) ? name!.replaceAll('`', '') : null),
  },
  { kind: 'file', needs: '/', pattern: PATH, read: asFile },
  { kind: 'file', needs: '\\', pattern: PATH, read: asFile },
  {
    kind: 'file',
    needs: '.',
    pattern: new RegExp(String.raw`(?<![\w@/.])[\w-]+(?:\.[\w-]+)*\.(?:${EXTENSIONS})(?![\w/(])`, 'g'),
    read: asFile,
  },
  {
    kind: 'file',
    pattern:
      /(?<![\w/.])(?:Dockerfile|Makefile|Caddyfile|Containerfile|Jenkinsfile|Procfile|\.gitignore|\.npmrc|\.env(?:\.\w+)?)(?![\w/])/g,
  },
  {
    kind: 'file',
    needs: '/',
    pattern: /(?<![\w/.:])\/(?:etc|usr|var|opt|home|srv|tmp|root|mnt)(?:\/[\w.@-]+)+/g,
    read: ([text]) => text.replace(/[.]$/, ''),
  },
  {
    kind: 'error',
    pattern: new RegExp(
      String.raw`\b(?:[A-Z]\w*(?:Error|Exception)|Err[A-Z]\w+|ERR_[A-Z_]+|${ERRNOS}|SIG(?:KILL|TERM|SEGV|INT|PIPE|HUP|ABRT|BUS)|ORA-\d{5}|TS\d{4,5})\b`,
      'g',
    ),
  },
  {
    kind: 'error',
    pattern: /\b(?:HTTP|status(?: code)?|error(?: code)?) ([45]\d\d)\b/gi,
    read: ([, code]) => `HTTP ${code}`,
  },
  {
    kind: 'function',
    needs: '()',
    pattern: /(?<![\w$.])((?:[A-Za-z_$][\w$]*(?:\.|::))*[A-Za-z_$][\w$]*)\(\)/g,
    read: ([, name]) => name!,
  },
  {
    kind: 'function',
    pattern: /\b(?:function|def|fn|func|method) `?([A-Za-z_$][\w$]*)`?(?=[\s(`.,;:])/g,
    read: ([, name]) => (/[A-Z_$]/.test(name!.slice(1)) ? name! : null),
  },
  {
    kind: 'function',
    needs: '`',
    pattern: /`((?:[A-Za-z_$][\w$]*\.)*(?:[a-z]+[A-Z][\w$]*|[a-z]+_[\w$]+))(?:\([^`)]*\))?`/g,
    read: ([, name]) => name!,
  },
  {
    kind: 'person',
    needs: '@',
    pattern: /(?<![\w@/.`])@([A-Za-z][A-Za-z\d-]{1,38})(?![\w/])/g,
    read: ([text]) =>
      /^@(?:param|return|returns|throws|type|see|deprecated|override|media|import|ts|todo|app|todo|here|channel|everyone|latest|next)\b/i.test(
        text,
      )
        ? null
        : text,
  },
  { kind: 'person', pattern: new RegExp(`\\b(?:${BY}):? (?=[A-Z\\u00c0-\\uffff])`, 'g'), read: nameAfter },
  { kind: 'person', pattern: new RegExp(` (?:${SAID})\\b`, 'g'), read: nameBefore },
];
/** Made for the first text: most commands read none, and Unicode's tables take a start milliseconds to be ready. */
let rules: readonly Rule[] | null = null;

const NAME_HERE = new RegExp(`^${NAME}(?![\\p{L}\\d])`, 'u');
const NAME_THERE = new RegExp(`(?<![\\p{L}\\d])${NAME}$`, 'u');
const LONGEST_NAME = 60;
/** `ActiveRecord::Base`, `Cache.get`, `Node<T>`: a name in code. */
const CODE_FOLLOWS = /^(?:::|[([<_]|\.\p{L})/u;
/** A single word in capitals after "by", "from" or "with" is a person where people do, send or talk; otherwise it may be any product. */
const OF_PEOPLE =
  /\b(?:written|reported|suggested|reviewed|approved|owned|assigned|maintained|requested|led|decided|proposed|found|fixed|signed|sent|asked|noticed|raised|filed|opened|authored|feedback|message|mail|email|request|idea|question|comment|review|note|reply|news|meeting|call|chat|talked|spoke|lunch|paired|discussed|agreed|checked|met) $/i;

/** Patterns that know all capitals of the world are slow: they look only where a cue stands. */
function nameAfter({ input, index, 0: cue }: RegExpExecArray): string | null {
  const start = index + cue.length;
  const [name] = NAME_HERE.exec(input.slice(start, start + LONGEST_NAME)) ?? [];
  if (name === undefined || CODE_FOLLOWS.test(input.slice(start + name.length, start + name.length + 2))) return null;
  const isVague = /^(?:by|from|with) $/i.test(cue) && !name.includes(' ');
  return isVague && !OF_PEOPLE.test(input.slice(Math.max(0, index - LONGEST_NAME), index)) ? null : asPerson(name);
}

function nameBefore({ input, index }: RegExpExecArray): string | null {
  const before = input.slice(Math.max(0, index - LONGEST_NAME), index);
  const [name] = NAME_THERE.exec(before) ?? [];
  if (name === undefined || /[.:/#_@]$/.test(before.slice(0, -name.length))) return null;
  return asPerson(name);
}

function asPerson(name: string): string | null {
  const words = name.split(' ').filter((word) => !NO_PEOPLE.has(word.toLowerCase().replace(/['’]s$/, '')));
  const [first] = words;
  if (/['’](?:ve|m|ll|d|re)$/i.test(name)) return null;
  if (words.some((word) => /\p{Ll}\p{Lu}/u.test(word.replace(/^(?:Ma?c|O['’]|De|Di|La|Le|Van)(?=\p{Lu})/u, ''))))
    return null;
  if (first === undefined || words.length < name.split(' ').length - 1) return null;
  return /^\p{Lu}+$/u.test(first) && first.length > 2 ? null : words.join(' ').replace(/['’]s$/, '');
}

/** What a text names, each once, by rules alone: the same text always gives the same. */
export function extractEntities(text: string): Entity[] {
  let rest = text.slice(0, MAX_CHARS);
  const found = new Map<string, Entity>();
  rules ??= makeRules();
  for (const { kind, needs, pattern, read } of rules) {
    if (needs !== undefined && !rest.includes(needs)) continue;
    const claimed: [start: number, end: number][] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      const name = (read === undefined ? match[0] : read(match))?.trim();
      if (name === undefined || name === '') continue;
      const key = keyOf(kind, name);
      if (!found.has(key)) found.set(key, { kind, name, key });
      if (kind !== 'decision' || /^ADR-/.test(name)) claimed.push([match.index, match.index + match[0].length]);
    }
    for (const [start, end] of claimed) rest = rest.slice(0, start) + '\u0001'.repeat(end - start) + rest.slice(end);
  }
  return [...found.values()];
}
