import { basename } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import { flag, integer, label, text } from '../../verbs/field.ts';
import { defineServiceTool, linesAnswer, type Tool } from './define-service-tool.ts';
import { projectToStoreIn } from './service-arguments.ts';
import { quoteText } from './service-memory.ts';

interface IngestArguments {
  file_path?: string;
  directory_path?: string;
  tags?: string[];
  chunk_size?: number;
  chunk_overlap?: number;
  memory_type?: string;
  recursive?: boolean;
  file_extensions?: string[];
  max_files?: number;
  store?: string;
}

/** What our own tool tells of a file or folder. */
interface Ingested {
  files: number;
  ingested: number;
  updated: number;
  unchanged: number;
  sections: { added: number; moved: number; unchanged: number };
  failed: { path: string; message: string }[];
}

const DEFAULTS = {
  tags: [],
  chunk_size: 1000,
  chunk_overlap: 200,
  memory_type: 'document',
  recursive: true,
  file_extensions: ['pdf', 'txt', 'md', 'json'],
  max_files: 100,
};
const SHOWN_ERRORS = 5;

/** `ours` does the work: this one reads the service's arguments and tells the outcome in its words. */
export function createIngestTool(ours: Tool): Tool {
  return defineServiceTool<IngestArguments>({
    name: 'memory_ingest',
    title: 'Ingest Documents',
    text: 'Take in a file or a folder of this machine; memory_search finds its passages. Taking it in again writes only what has changed.',
    action: 'write',
    idempotent: true,
    listed: {
      file_path: text(undefined, { max: 4096 }),
      directory_path: text(undefined, { max: 4096 }),
      tags: { type: 'tags' },
      chunk_size: integer(1, 1_000_000),
      chunk_overlap: integer(0, 1_000_000),
      memory_type: label(),
      recursive: flag(),
      file_extensions: { type: 'refs', max: 100 },
      max_files: integer(1, 10_000),
      store: label(),
    },
    defaults: DEFAULTS,
    output: { message: 'string', chunks_processed: 'number', chunks_stored: 'number' },
    async run(context, { store, file_path: file, directory_path: folder, ...given }) {
      if ((file === undefined) === (folder === undefined))
        throw new EngineError('invalid_input', 'Either file_path or directory_path is required.', {
          details: { field: 'file_path' },
        });
      const { file_extensions: endings, ...rest } = { ...DEFAULTS, ...given };
      const startedAt = performance.now();
      const project = projectToStoreIn(store);
      const { structured } = await ours.run(context, {
        ...rest,
        ...(project !== undefined && { project }),
        ...(file === undefined
          ? { directory_path: folder, file_extensions: endings, tag_origin: true }
          : { file_path: file }),
      });
      const done = structured as unknown as Ingested;
      const seconds = (performance.now() - startedAt) / 1000;
      return {
        ...describe(done, { name: basename(file ?? folder ?? ''), isFolder: file === undefined, seconds }),
        isError: done.files > 0 && done.failed.length === done.files,
      };
    },
  });
}

interface Told {
  name: string;
  isFolder: boolean;
  seconds: number;
}

function describe({ files, sections, failed, ...counts }: Ingested, { name, isFolder, seconds }: Told) {
  const stored = sections.added + sections.moved;
  const processed = stored + sections.unchanged;
  const succeeded = files === 0 ? 0 : ((files - failed.length) / files) * 100;
  const errors = failed
    .slice(0, SHOWN_ERRORS)
    .map(({ path, message }) => `- ${quoteText(`${path}: ${message}`, '  ')}`);
  const more = failed.length > SHOWN_ERRORS ? [`... and ${failed.length - SHOWN_ERRORS} more errors`] : [];
  return linesAnswer(
    [
      `${isFolder ? 'Directory' : 'Document'} ingestion completed: ${quoteText(name)}`,
      ...(isFolder ? [`Files processed: ${files}`] : []),
      `Chunks processed: ${processed}`,
      `Chunks stored: ${stored}`,
      `Success rate: ${succeeded.toFixed(1)}%`,
      `Processing time: ${seconds.toFixed(2)} seconds`,
      ...(failed.length === 0 ? [] : [`Errors: ${failed.length}`, ...errors, ...more]),
    ],
    {
      files_processed: files,
      files_failed: failed.length,
      files_unchanged: counts.unchanged,
      chunks_processed: processed,
      chunks_stored: stored,
    },
  );
}
