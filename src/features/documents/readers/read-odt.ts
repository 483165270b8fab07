import { EngineError } from '../../../model/errors.ts';
import type { ReadDocument } from '../document.ts';
import { parseXml, readTitle } from './parse-xml.ts';
import { createOutline } from './read-html.ts';
import { openArchive } from './unzip.ts';

/** Not what was deleted while changes were tracked, and not what somebody remarked beside it. */
const HIDDEN = new Set(['text:tracked-changes', 'office:annotation', 'office:automatic-styles', 'text:sequence-decls']);
const MAX_SPACES = 40;

/** OpenDocument text: paragraphs under their headings, tables row by row. */
export function readOdt(bytes: Uint8Array, called: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const archive = openArchive(bytes, called);
  const xml = archive.read('content.xml');
  if (xml === null)
    throw new EngineError('invalid_input', `${called} is not an OpenDocument text.`, {
      details: { field: 'name', reason: 'damaged' },
    });
  const outline = createOutline();
  let hidden = 0;
  let cells = 0;
  let inText = 0;
  parseXml(xml, {
    open(name, attributes) {
      if (HIDDEN.has(name)) hidden++;
      if (hidden > 0) return;
      if (name === 'text:h' || name === 'text:p') inText++;
      if (name === 'text:h' && cells === 0) outline.open(Number(attributes['text:outline-level']) || 1);
      else if (name === 'table:table-cell') cells++;
      else if (name === 'text:list-item') outline.add('- ');
      else if (name === 'text:line-break') outline.add('\n');
      else if (name === 'text:tab') outline.add('\t');
      else if (name === 'text:s') outline.add(' '.repeat(Math.min(MAX_SPACES, Number(attributes['text:c']) || 1)));
    },
    text(text) {
      if (hidden === 0 && inText > 0) outline.add(text.replaceAll(/\s+/g, ' '));
    },
    close(name) {
      if (HIDDEN.has(name)) hidden--;
      else if (hidden > 0) return;
      if (name === 'text:h' || name === 'text:p') {
        inText = Math.max(0, inText - 1);
        if (name === 'text:h' && cells === 0) outline.close();
        outline.add(cells > 0 ? ' ' : '\n\n');
      } else if (name === 'table:table-cell') {
        cells--;
        outline.add('| ');
      } else if (name === 'table:table-row') outline.add('\n');
      else if (name === 'table:table') outline.add('\n');
    },
  });
  const sections = outline.end().map(({ page: _, ...section }) => section);
  return { title: readTitle(archive, 'meta.xml') ?? sections[0]?.headings[0] ?? null, tags: [], pages: null, sections };
}
