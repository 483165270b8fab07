import { basename, extname, resolve, sep } from 'node:path';
import { defineTool, type ToolAnswer, type ToolContext } from '../../mcp/tool.ts';
import { OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { lateFunctions } from '../../model/late.ts';
import type { Trust } from '../../model/record.ts';
import { flag, integer, label, text } from '../../verbs/field.ts';
import type { IngestOutcome } from './document.ts';
import { DOCUMENT_FIELDS } from './verbs/ingest-document.ts';

const { ingestFiles } = lateFunctions(() => import('./ingest-files.ts'), 'ingestFiles');

interface IngestArguments {
  path?: string;
  file_path?: string;
  directory_path?: string;
  url?: string;
  content?: string;
  name?: string;
  title?: string;
  tags?: string[];
  project?: string;
  type?: string;
  memory_type?: string;
  trust?: Trust;
  agent?: string;
  session?: string;
  conversation_id?: string;
  author?: string;
  extensions?: string[];
  file_extensions?: string[];
  recursive?: boolean;
  max_files?: number;
  section_chars?: number;
  chunk_size?: number;
  overlap_chars?: number;
  chunk_overlap?: number;
  tag_origin?: boolean;
  dry_run?: boolean;
}

const DEFAULT_MAX_FILES = 100;
const SHOWN_DOCUMENTS = 20;
const SHOWN_ERRORS = 5;

const { no_redact: _, section_chars, overlap_chars, ...SAID } = DOCUMENT_FIELDS;
const LISTED = new Set(['title', 'tags', 'project', 'dry_run']);
const listed = Object.fromEntries(
  Object.entries(SAID).map(([name, field]) => [name, { ...field, about: LISTED.has(name) ? '' : field.about }]),
);

export const memoryIngest = defineTool<IngestArguments>({
  name: 'memory_ingest',
  title: 'Ingest documents',
  text: 'Take in a file or folder of this machine (Markdown, text, PDF, office files, HTML, CSV, JSON, code), a URL where allowed, or a text with a name. memory_search then finds its sections. Ingesting again writes only what changed.',
  action: 'write',
  idempotent: true,
  reportsProgress: true,
  listed: {
    path: text('File or folder', { min: 1, max: 4096 }),
    url: text('Web page or file', { min: 1, max: 2000 }),
    content: text('The text itself', { min: 1, isVerbatim: true }),
    name: label('Name of the text, with its ending'),
    tags: listed.tags!,
    project: listed.project!,
    title: listed.title!,
    extensions: { type: 'names', about: 'Of a folder, only these endings' },
    recursive: flag('true unless said otherwise'),
    max_files: integer(1, 10_000, `Default ${DEFAULT_MAX_FILES}`),
    dry_run: flag(),
  },
  unlisted: {
    ...SAID,
    section_chars: section_chars!,
    overlap_chars: overlap_chars!,
    file_path: text(undefined, { min: 1, max: 4096 }),
    directory_path: text(undefined, { min: 1, max: 4096 }),
    memory_type: label(),
    file_extensions: { type: 'names' },
    chunk_size: integer(1, 1_000_000),
    chunk_overlap: integer(0, 1_000_000),
    // files of a folder bear its name and their endings as tags, as mcp-memory-service has it
    tag_origin: flag(),
  },
  output: { documents: ['object'], sections: 'object', skipped: ['object'], failed: ['object'] },
  async run(context, args) {
    const { path = args.file_path ?? args.directory_path, url, content } = args;
    const given = [path, url, content].filter((one) => one !== undefined);
    if (given.length !== 1)
      throw new EngineError('invalid_input', 'Give one of path, url and content.', { details: { field: 'path' } });
    if (path !== undefined) return ingestPath(context, path, args);
    const { engine, caller } = context;
    const { name = 'text.md' } = args;
    const labels = { ...labelsOf(args), ...tellSections(context, url ?? name) };
    if (url !== undefined) {
      const { trust: __, ...said } = labels;
      return describeOne(await engine.ingestUrl(caller, { url, ...said }));
    }
    return describeOne(
      await engine.ingestDocument(caller, { ...labels, name, bytes: new TextEncoder().encode(content) }),
    );
  },
});

/** In the words of the other memory service: any size is understood, and taken as far as it makes sense. */
function labelsOf(args: IngestArguments) {
  const { title, tags, project, trust, agent, session, author, dry_run: dryRun } = args;
  const sectionChars = args.section_chars ?? clamp(args.chunk_size, 200, 20_000);
  const overlap = args.overlap_chars ?? args.chunk_overlap;
  const overlapChars = overlap === undefined ? undefined : Math.min(overlap, Math.floor((sectionChars ?? 3600) / 2));
  const labels = { title, tags, project, trust, agent, session, author, dryRun, sectionChars, overlapChars };
  return { ...labels, type: args.type ?? args.memory_type, conversation: args.conversation_id };
}

function clamp(value: number | undefined, min: number, max: number): number | undefined {
  return value === undefined ? undefined : Math.min(max, Math.max(min, value));
}

/** Of one document, by its sections. */
function tellSections({ onProgress }: ToolContext, name: string) {
  if (onProgress === undefined) return {};
  return { onProgress: (done: number, total: number) => onProgress(done, total, `sections of ${name}`) };
}

/** Of a folder by its files, of a single file by its sections. */
async function ingestPath(context: ToolContext, path: string, args: IngestArguments): Promise<ToolAnswer> {
  const { engine, caller, onProgress } = context;
  refuseStrangers(caller);
  let of = 0;
  const report = await ingestFiles([resolve(path)], {
    labels: labelsOf(args),
    maxBytes: engine.maxDocumentBytes(),
    recursive: args.recursive,
    endings: args.extensions ?? args.file_extensions,
    maxFiles: args.max_files ?? DEFAULT_MAX_FILES,
    uriOf: (file) => file.split(sep).join('/'),
    tagsOf: args.tag_origin === true ? (file) => originTags(path, file) : undefined,
    onProgress(file, done, total) {
      of = total;
      if (total > 1) onProgress?.(done, total, basename(file));
    },
    ingest: (input) =>
      engine.ingestDocument(caller, of > 1 ? input : { ...input, ...tellSections(context, input.name) }),
  });
  if (of > 1) onProgress?.(of, of, 'done');
  const { files, ingested, updated, unchanged, sections, documents, skipped, failed } = report;
  const left = Map.groupBy(skipped, ({ reason }) => reason);
  const [first] = failed;
  const structured = {
    message: `${files} files: ${ingested} new, ${updated} updated, ${unchanged} unchanged, ${failed.length} failed; ${sections.added} sections written.`,
    files,
    ingested,
    updated,
    unchanged,
    sections,
    documents: documents.slice(0, SHOWN_DOCUMENTS).map(({ warnings, ...rest }) => ({
      ...rest,
      ...(warnings.length > 0 && { warnings }),
    })),
    skipped: [...left].map(([reason, some]) => ({ reason, count: some.length, first: some[0]!.path })),
    failed: failed.slice(0, SHOWN_ERRORS),
    ...(files > 0 && failed.length === files && first !== undefined && { error: first.message }),
  };
  return { structured, isError: files > 0 && failed.length === files };
}

function originTags(folder: string, file: string): string[] {
  const ending = extname(file).slice(1).toLowerCase();
  return [`source_dir:${basename(resolve(folder))}`, ...(ending === '' ? [] : [`file_type:${ending}`])];
}

function describeOne({ outcome, document, counts, warnings }: IngestOutcome): ToolAnswer {
  const { id, title, uri, format, sections } = document;
  const shown = { outcome, id, title, uri, format, counts, ...(warnings.length > 0 && { warnings }) };
  return {
    structured: {
      message: `${title}: ${outcome.replace('_', ' ')}, ${sections} sections.`,
      documents: [shown],
      sections: counts,
    },
  };
}

/** The files are those of whoever runs this program; over the network nobody is that, whatever token they bring. */
function refuseStrangers({ userId, credential, door }: ToolContext['caller']): void {
  if (userId === OWNER_USER && credential === undefined && door === 'mcp') return;
  throw new EngineError('forbidden', 'Files of the machine that ltm runs on are not read for others.', {
    hint: 'Send the text as content with a name, upload the file with POST /api/v1/documents, or run `ltm ingest` where the file is.',
  });
}
