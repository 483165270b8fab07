import { showHidden, unifyLineBreaks } from '../../model/hidden-characters.ts';

/** What would open a section, a rule or a code block of its own. */
const STRUCTURE = /^(\s*)(?=#{1,6}(?:\s|$)|-{3,}\s*$|={3,}\s*$|`{3}|~{3})/;

/**
 * A packet's text as part of a document made of it. Its further lines are indented, and none can pass for a heading or a rule of the document: a packet
 * comes from somebody else, and must not be able to write a first action of its own. What is hidden in it is shown, as `\u{202e}`.
 */
export function packetText(text: string, indent = ''): string {
  return showHidden(unifyLineBreaks(text))
    .split('\n')
    .map((line, i) => `${i === 0 ? '' : indent}${line.replace(STRUCTURE, '$1\\')}`)
    .join('\n');
}
