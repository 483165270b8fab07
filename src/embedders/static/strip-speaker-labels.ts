const NAME = "(?:\\p{Lu}['’\\p{Ll}][\\p{L}\\p{M}'’-]*|\\p{Lu}\\.)";
const LABEL = new RegExp(`(?<![^\\n])[ \\t]*(${NAME}(?: ${NAME}){0,2}): +`, 'gu');
const WORD = /[\p{L}\p{N}]/u;
/** Words that head a line without naming who speaks; what they say of the text belongs to its meaning. */
const HEADINGS = new Set(
  'action answer attention background bug cause change choice command conclusion config context convention correction decision default description details error example expected explanation failure feature finding fix goal hint idea important info issue item learned lesson limitation location message name note observation option outcome pattern plan port preference problem question rationale reason reminder requirement resolution result root rule setting solution status step steps summary symptom task test tip title todo topic trigger type update usage version warning workaround'.split(
    ' ',
  ),
);

/** Without `Name: ` at the start of lines: who speaks is no part of what is said. The text itself where nothing would be left. */
export function stripSpeakerLabels(text: string): string {
  if (!text.includes(': ')) return text;
  const stripped = text.replace(LABEL, (label, names: string) => (isHeading(names) ? label : ''));
  return WORD.test(stripped) ? stripped : text;
}

function isHeading(names: string): boolean {
  return names.split(' ').some((name) => HEADINGS.has(name.toLowerCase()));
}
