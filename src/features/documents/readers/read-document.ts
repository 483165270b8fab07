import { EngineError } from '../../../model/errors.ts';
import type { ReadDocument } from '../document.ts';
import type { DocumentFile } from '../document-reader.ts';
import { boundSections } from './bound-sections.ts';
import { decodeText } from './decode-text.ts';
import { detectFormat, type Format } from './formats.ts';

type Read = Omit<ReadDocument, 'format'>;
type TextReader = (source: string, name: string) => Omit<Read, 'warnings'>;

/** Loaded at the first file of their format. */
const TEXT_READERS: Readonly<Partial<Record<Format, () => Promise<TextReader>>>> = {
  markdown: async () => (await import('./read-markdown.ts')).readMarkdown,
  text: async () => (await import('./read-text.ts')).readText,
  html: async () => (await import('./read-html.ts')).readHtml,
  csv: async () => (await import('./read-csv.ts')).readCsv,
  json: async () => (await import('./read-json.ts')).readJson,
  jsonl: async () => (await import('./read-json.ts')).readJsonLines,
  code: async () => (await import('./read-code.ts')).readCode,
};

type PackedReader = (bytes: Uint8Array, name: string) => Omit<Read, 'warnings'> | Promise<Read>;

/** The same for what is no text: archives of XML, and PDF. */
const PACKED_READERS: Readonly<Partial<Record<Format, () => Promise<PackedReader>>>> = {
  pdf: async () => (await import('./read-pdf.ts')).readPdf,
  docx: async () => (await import('./read-docx.ts')).readDocx,
  odt: async () => (await import('./read-odt.ts')).readOdt,
  pptx: async () => (await import('./read-slides.ts')).readSlides,
  xlsx: async () => (await import('./read-sheets.ts')).readSheets,
};

/** All that a document may come to, so that a file that grows without end ends somewhere. */
const MAX_TEXT_CHARS = 50_000_000;

/** The text of a file, in this thread. */
export async function readDocument({ name, bytes, mediaType }: DocumentFile): Promise<ReadDocument> {
  const format = detectFormat(name, bytes, mediaType);
  if (format === null) throw unknownFormat(name);
  const read = await readAs(format, { name, bytes });
  let chars = 0;
  for (const { text } of read.sections) chars += text.length;
  if (chars > MAX_TEXT_CHARS)
    throw new EngineError('too_large', `${name} holds more than ${MAX_TEXT_CHARS} characters of text.`, {
      details: { field: 'name', reason: 'too_much_text', limit: MAX_TEXT_CHARS },
    });
  return { format, ...read, sections: boundSections(read.sections) };
}

async function readAs(format: Format, { name, bytes }: DocumentFile): Promise<Read> {
  const unpack = await PACKED_READERS[format]?.();
  if (unpack !== undefined) return { warnings: [], ...(await unpack(bytes, name)) };
  const { text, warnings } = decodeText(bytes, name);
  const reader = await TEXT_READERS[format]!();
  return { ...reader(text, name), warnings };
}

function unknownFormat(name: string): EngineError {
  return new EngineError('invalid_input', `${name} is of no kind that can be read.`, {
    hint: 'Documents are Markdown, text, PDF, DOCX, ODT, PPTX, XLSX, HTML, CSV, JSON and source code; the name must have its ending.',
    details: { field: 'name', reason: 'unknown_format' },
  });
}
