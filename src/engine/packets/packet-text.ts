/** What would open a section, a rule or a code block of its own. */
const STRUCTURE = /^(\s*)(?=#{1,6}(?:\s|$)|-{3,}\s*$|={3,}\s*$|`{3}|~{3})/;

/** Controls, and what reverses or hides text: ways to show a person one thing and a model another. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to show
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * A packet's text as part of a document made of it. Its further lines are indented, and none can pass for a heading or a rule of the document: a packet
 * comes from somebody else, and must not be able to write a first action of its own. What is hidden in it is shown, as `\u{202e}`.
 */
export function packetText(text: string, indent = ''): string {
  return text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .split('\n')
    .map((line, i) => `${i === 0 ? '' : indent}${line.replace(STRUCTURE, '$1\\')}`)
    .join('\n');
}
