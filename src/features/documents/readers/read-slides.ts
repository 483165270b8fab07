import { EngineError } from '../../../model/errors.ts';
import type { DocumentSection, ReadDocument } from '../document.ts';
import { parseXml, readRelations, readTitle } from './parse-xml.ts';
import { type Archive, openArchive } from './unzip.ts';

const PRESENTATION = 'ppt/presentation.xml';

/** One section a slide, under its title, with what the speaker notes below it. */
export function readSlides(bytes: Uint8Array, called: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const archive = openArchive(bytes, called);
  const slides = listSlides(archive);
  if (slides.length === 0)
    throw new EngineError('invalid_input', `${called} is not a presentation.`, {
      details: { field: 'name', reason: 'damaged' },
    });
  const sections = slides.flatMap((part, i) => readSlide(archive, part, i + 1));
  const title = readTitle(archive) ?? sections[0]?.headings[0] ?? null;
  return { title, tags: [], pages: slides.length, sections };
}

/** In the order in which they are shown. */
function listSlides(archive: Archive): string[] {
  const xml = archive.read(PRESENTATION);
  if (xml === null) return [];
  const relations = readRelations(archive, PRESENTATION);
  const slides: string[] = [];
  parseXml(xml, {
    open(name, attributes) {
      const part = name === 'p:sldId' ? relations.get(attributes['r:id'] ?? '') : undefined;
      if (part !== undefined && archive.names.includes(part)) slides.push(part);
    },
  });
  return slides;
}

function readSlide(archive: Archive, part: string, page: number): DocumentSection[] {
  const { title, text } = readShapes(archive.read(part)!);
  const notes = [...readRelations(archive, part).values()].find((name) => name.includes('notesSlide'));
  const xml = notes === undefined ? null : archive.read(notes);
  const spoken = xml === null ? '' : readShapes(xml).text.replace(/^\d+$/gm, '').trim();
  const whole = [text, ...(spoken === '' ? [] : [`Notes: ${spoken}`])].filter((one) => one !== '').join('\n\n');
  if (whole === '' && title === '') return [];
  return [{ headings: title === '' ? [] : [title], text: whole === '' ? title : whole, page }];
}

/** The text of a slide, that of its title apart. */
function readShapes(xml: Buffer): { title: string; text: string } {
  let title = '';
  let text = '';
  let isTitle = false;
  let inText = false;
  parseXml(xml, {
    open(name, { type = '' }) {
      if (name === 'p:sp') isTitle = false;
      else if (name === 'p:ph') isTitle = type === 'title' || type === 'ctrTitle';
      else if (name === 'a:t') inText = true;
      else if (name === 'a:br') text += '\n';
    },
    text(piece) {
      if (!inText) return;
      if (isTitle) title += piece;
      else text += piece;
    },
    close(name) {
      if (name === 'a:t') inText = false;
      else if (name === 'a:p') {
        if (isTitle) title += ' ';
        else text += '\n';
      } else if (name === 'a:tc') text = `${text.trimEnd()} | `;
    },
  });
  return { title: title.replaceAll(/\s+/g, ' ').trim(), text: text.replaceAll(/\n{3,}/g, '\n\n').trim() };
}
