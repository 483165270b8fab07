// Hostile texts inside of what has to be unpacked first: archives, PDF, databases, compressed bodies.
import { rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { makeZip } from '../documents/make-zip.ts';

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** No XML may hold these. */
const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
  text.replace(/[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '');

/** Each format with the text as its XML, and as what its XML says. */
export function officeFiles(text: string): { name: string; bytes: Buffer }[] {
  const said = escapeXml(withoutControls(text));
  const pack = (name: string, parts: Record<string, string>) => ({
    name,
    bytes: makeZip(Object.fromEntries(Object.entries(parts).map(([part, xml]) => [part, Buffer.from(xml)]))),
  });
  const word = (body: string): string => `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`;
  const workbook = '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>';
  const rels = (target: string): string => `<Relationships><Relationship Id="r1" Target="${target}"/></Relationships>`;
  const sheet = '<worksheet><row r="1"><c r="A1" t="s"><v>0</v></c></row></worksheet>';
  const book = { 'xl/workbook.xml': workbook, 'xl/_rels/workbook.xml.rels': rels('sheet.xml') };
  const show = {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': rels('slides/slide1.xml'),
  };
  return [
    pack('a.docx', { 'word/document.xml': word(text) }),
    pack('a.docx', { 'word/document.xml': word(`<w:p><w:r><w:t>${said}</w:t></w:r></w:p>`), 'word/styles.xml': text }),
    pack('a.odt', { 'content.xml': `<office:text>${text}</office:text>` }),
    pack('a.odt', { 'content.xml': `<office:text><text:p>${said}</text:p></office:text>`, 'meta.xml': text }),
    pack('a.xlsx', { ...book, 'xl/sheet.xml': `<worksheet>${text}</worksheet>` }),
    pack('a.xlsx', { ...book, 'xl/sheet.xml': sheet, 'xl/sharedStrings.xml': `<sst><si><t>${said}</t></si></sst>` }),
    pack('a.pptx', { ...show, 'ppt/slides/slide1.xml': `<p:sld>${text}</p:sld>` }),
    pack('a.pptx', { ...show, 'ppt/slides/slide1.xml': `<p:sld><a:p><a:r><a:t>${said}</a:t></a:r></a:p></p:sld>` }),
  ];
}

/** The text as a file, as what a page draws, and as the words on it. */
export function pdfFiles(text: string): Buffer[] {
  const shown = text.replace(/[()\\\r\n]|[^ -~]/g, '');
  const lines = (shown.match(/.{1,80}/g) ?? []).map((line) => `(${line}) Tj 0 -12 Td`).join('\n');
  return [Buffer.from(`%PDF-1.4\n${text}\n%%EOF`), makePdf(text), makePdf(`BT /F1 12 Tf 72 720 Td\n${lines}\nET`)];
}

function makePdf(drawn: string): Buffer {
  const stream = deflateSync(Buffer.from(drawn));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n${stream.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [i, object] of objects.entries()) {
    places.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

/** As it comes with `Content-Encoding: zstd`. */
export function zstdBody(text: string): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    body: new Uint8Array(zstdCompressSync(Buffer.from(text))),
    headers: { 'content-encoding': 'zstd' },
  });
}

/** Tables by which importers know databases, and their columns. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'memory-service.db': {
    memories: 'id content_hash content tags memory_type metadata created_at updated_at deleted_at superseded_by',
    memory_graph: 'source_hash target_hash similarity metadata created_at relationship_type',
    tags: 'id name',
    memory_tags: 'memory_id tag_id',
  },
  'longmem.db': {
    sessions: 'id opencode_session_id project',
    observations:
      'id session_id tool_name tool_input tool_output compressed_summary files_referenced concepts created_at',
    user_prompts: 'id session_id prompt prompt_number created_at',
  },
  'claude-mem.db': {
    sdk_sessions: 'id content_session_id memory_session_id project',
    observations:
      'id memory_session_id project type title subtitle narrative facts concepts files_read files_modified created_at_epoch',
    session_summaries: 'id memory_session_id project request learned next_steps created_at_epoch',
  },
  'networked.db': { memories: 'id user_key repo_id content tags created_at' },
  'packets.db': {
    packets: 'id created_at goal body deleted_at owner_id team_id',
    tokens: 'token_hash',
    users: 'id display',
  },
};
const FEW = 200;

/** Each with one row that holds the text in every column, and with a row for each of its first lines. */
export function makeDatabase(path: string, text: string): void {
  const tables = Object.entries(TABLES).find(([name]) => path.endsWith(name))![1];
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  database.exec('BEGIN');
  for (const [table, names] of Object.entries(tables)) {
    const columns = names.split(' ');
    database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
    const fill = (value: string, id: number): void =>
      void insert.run(...columns.map((name): SQLInputValue => (/(?:^|_)id$|hash$/.test(name) ? id : value)));
    fill(text.toWellFormed(), 0);
    for (const [i, line] of text.toWellFormed().split('\n').slice(0, FEW).entries()) fill(line.slice(0, 1000), i + 1);
  }
  database.exec('COMMIT');
  database.close();
}

export const DATABASES: readonly string[] = Object.keys(TABLES);
