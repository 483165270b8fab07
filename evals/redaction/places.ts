/** Where what a shape shows is met: on lines of its own, and in what people and agents say. */
export const PLACES: Record<string, (text: string) => string> = {
  'lines of their own': (text) => text,
  'a list item': (text) => `- We decided to keep ${inLine(text)}`,
  'a list item that goes on': (text) => `- ${inLine(text)} in staging: we decided to keep it because nobody minds`,
  'a sentence': (text) => `We decided to use ${inLine(text)} here because the old one had expired.`,
  'a sentence, at its end': (text) => `The root cause was that the worker still ran with ${inLine(text)}.`,
  'a sentence, before a comma': (text) => `The worker always starts with ${inLine(text)}, so we decided to keep it.`,
  'a sentence, in brackets': (text) => `We decided to use the older setting (${inLine(text)}) in staging.`,
  'a sentence, as code': (text) => `We decided to use \`${inLine(text)}\` in staging from now on.`,
};

function inLine(text: string): string {
  return text.trimEnd().replace(/\n\s*/g, ' ');
}
