import { basename } from 'node:path';
import { EngineError, type ErrorCode } from '../../model/errors.ts';
import { splitTags } from '../../model/tags.ts';
import type { IngestInput, IngestOutcome, SectionCounts } from './document.ts';
import { type FindOptions, type FoundFile, findFiles, readFound, SKIP_REASONS, type SkipReason } from './find-files.ts';

/** What is said of every file. */
export type FileLabels = Omit<IngestInput, 'name' | 'uri' | 'bytes' | 'mediaType' | 'onProgress'>;

export interface FileOutcome {
  path: string;
  outcome: IngestOutcome['outcome'];
  id: string;
  title: string;
  format: string;
  counts: SectionCounts;
  warnings: readonly string[];
}

export interface FilesReport {
  dryRun: boolean;
  /** How many files there were to read. */
  files: number;
  ingested: number;
  updated: number;
  unchanged: number;
  sections: SectionCounts;
  documents: FileOutcome[];
  skipped: { path: string; reason: SkipReason; message: string }[];
  failed: { path: string; code: ErrorCode; message: string; hint?: string }[];
}

export interface IngestFilesOptions extends FindOptions {
  labels: FileLabels;
  /** What a path is called as the origin of its document. */
  uriOf(path: string): string;
  /** Said of one file besides the labels. */
  tagsOf?(path: string): readonly string[];
  ingest(input: IngestInput): Promise<IngestOutcome>;
  onProgress?: (path: string, done: number, total: number) => void;
  /** Leaves a file alone; for whoever knows that it has not changed. */
  isKnown?(file: Exclude<FoundFile, { skipped: SkipReason }>): boolean;
  signal?: AbortSignal;
}

/** One after the other. What cannot be read is named in the report, and keeps no other from being read. */
export async function ingestFiles(paths: readonly string[], options: IngestFilesOptions): Promise<FilesReport> {
  const report = emptyReport(options.labels.dryRun === true);
  const files = new Map<string, Exclude<FoundFile, { skipped: SkipReason }>>();
  for (const path of paths)
    for (const file of findFiles(path, options)) {
      if ('skipped' in file) report.skipped.push(describeSkip(file.path, file.skipped));
      else if (options.isKnown?.(file) !== true) files.set(file.path, file);
    }
  report.files = files.size;
  let done = 0;
  for (const file of files.values()) {
    options.signal?.throwIfAborted();
    options.onProgress?.(file.path, done++, files.size);
    await ingestOne(file, report, options);
  }
  return report;
}

async function ingestOne(
  file: { path: string; modifiedAt: number; real: string },
  report: FilesReport,
  { labels, tagsOf, uriOf, ingest, maxBytes }: IngestFilesOptions,
): Promise<void> {
  const { path, modifiedAt } = file;
  try {
    const bytes = await readFound(file, maxBytes);
    if (bytes === null) {
      report.skipped.push(describeSkip(path, 'too_large'));
      return;
    }
    const tags = tagsOf === undefined ? labels.tags : [...splitTags(labels.tags), ...tagsOf(path)];
    const done = await ingest({ ...labels, tags, name: basename(path), uri: uriOf(path), bytes, modifiedAt });
    add(report, path, done);
  } catch (error) {
    const failure = describeFailure(error);
    // the database, the server or the right to write: no other file will fare better
    if (failure === null) throw error;
    report.failed.push({ path, ...failure });
  }
}

const OF_THE_FILE: readonly ErrorCode[] = ['invalid_input', 'too_large'];

function describeFailure(error: unknown): Omit<FilesReport['failed'][number], 'path'> | null {
  if (error instanceof EngineError) {
    const { code, message, hint } = error;
    return OF_THE_FILE.includes(code) ? { code, message, ...(hint !== undefined && { hint }) } : null;
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return null;
  return { code: 'invalid_input', message: `It cannot be read (${code}).` };
}

function add(report: FilesReport, path: string, { outcome, document, counts, warnings }: IngestOutcome): void {
  if (outcome === 'unchanged') report.unchanged++;
  else if (outcome === 'updated' || outcome === 'would_update') report.updated++;
  else report.ingested++;
  for (const name of Object.keys(report.sections) as (keyof SectionCounts)[]) report.sections[name] += counts[name];
  const { id, title, format } = document;
  report.documents.push({ path, outcome, id, title, format, counts, warnings });
}

function describeSkip(path: string, reason: SkipReason): FilesReport['skipped'][number] {
  return { path, reason, message: SKIP_REASONS[reason] };
}

function emptyReport(dryRun: boolean): FilesReport {
  return {
    dryRun,
    files: 0,
    ingested: 0,
    updated: 0,
    unchanged: 0,
    sections: { added: 0, moved: 0, unchanged: 0, removed: 0 },
    documents: [],
    skipped: [],
    failed: [],
  };
}
