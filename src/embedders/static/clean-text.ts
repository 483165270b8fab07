/** Begins a line for the trainer, who knows no other line ends than \n; `^` would also match after \r. */
const LINE_START = '(?<![^\\n])';
const ROLES =
  'user|assistant|system|human|ai|bot|agent|tool|developer|customer|speaker|用户|助手|系统|ユーザー|アシスタント';
// Without the flag u, so that \b, \d and upper and lower case are those of ASCII, as in the trainer.
const ROLE = new RegExp(`${LINE_START}[ \\t]*(?:${ROLES})[ \\t]?\\d{0,3}[ \\t]*[:：]`, 'gi');
const STAMP = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|\[\d{1,2}:\d\d(?::\d\d)?\]/g;
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
const HASH = /\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi;
const SCHEME = /\b(?:https?|ftp|file):\/\/(?:www\.)?/gi;
const DIGIT = /[0-9]/;

/** Without role labels, timestamps and ids: what is left carries the meaning. The text itself where nothing would be left. */
export function cleanText(text: string): string {
  let out = text;
  if (out.includes(':') || out.includes('：')) out = out.replace(ROLE, ' ');
  if (DIGIT.test(out)) out = out.replace(STAMP, ' ');
  if (out.includes('-')) out = out.replace(UUID, ' ');
  if (DIGIT.test(out)) out = out.replace(HASH, ' ');
  if (out.includes('://')) out = out.replace(SCHEME, ' ');
  return out === text || hasWord(out) ? out : text;
}

/** Written where it is used, like all that ask Unicode's tables: these take a start milliseconds to be ready. */
function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const NAME = "(?:\\p{Lu}['’\\p{Ll}][\\p{L}\\p{M}'’-]*|\\p{Lu}\\.)";
let label: RegExp | null = null;
/** Words that head a line without naming who speaks; what they say of the text belongs to its meaning. */
const HEADINGS = new Set(
  'action answer attention background bug cause change choice command conclusion config context convention correction decision default description details error example expected explanation failure feature finding fix goal hint idea important info issue item learned lesson limitation location message name note observation option outcome pattern plan port preference problem question rationale reason reminder requirement resolution result root rule setting solution status step steps summary symptom task test tip title todo topic trigger type update usage version warning workaround'.split(
    ' ',
  ),
);

/** Without `Name: ` at the start of lines: who speaks is no part of what is said. The text itself where nothing would be left. */
export function stripSpeakerLabels(text: string): string {
  if (!text.includes(': ')) return text;
  label ??= new RegExp(`(?<![^\\n])[ \\t]*(${NAME}(?: ${NAME}){0,2}): +`, 'gu');
  const stripped = text.replace(label, (found, names: string) => (isHeading(names) ? found : ''));
  return hasWord(stripped) ? stripped : text;
}

function isHeading(names: string): boolean {
  return names.split(' ').some((name) => HEADINGS.has(name.toLowerCase()));
}
