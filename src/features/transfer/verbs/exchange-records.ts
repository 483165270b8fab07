import { choice, flag } from '../../../verbs/field.ts';
import { ALL_TAGS, FILTER_FLAGS, FILTERS, type FilterInput, readTimes, toFilter } from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { ImportOptions, ImportReport } from '../import-records.ts';
import { SERVICE_SHAPES, type ServiceShape, writeServiceExport } from '../write-service-export.ts';

export interface ExportInput extends FilterInput {
  includeDeleted?: boolean;
  includeVersions?: boolean;
  /** Absent: in ltm's own form. */
  as?: ServiceShape;
  includeEmbeddings?: boolean;
}

export const exportRecords = defineVerb<ExportInput, AsyncIterable<string>>({
  needs: 'read',
  input: {
    ...FILTERS,
    include_deleted: flag('Include deleted ones.'),
    include_versions: flag('Include earlier versions. Default: true.'),
    as: choice(SERVICE_SHAPES, 'Write memories as one JSON document of mcp-memory-service instead.'),
    include_embeddings: flag('With as: add the vectors.'),
  },
  async run(context, { includeDeleted = false, includeVersions, as, includeEmbeddings, ...input }) {
    const { after, before, ...rest } = await readTimes(input, { after: 'start', before: 'start' }, context);
    if (as !== undefined) {
      const times = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
      const withVectors = includeEmbeddings === true;
      return writeServiceExport(context, { shape: as, filter: { ...toFilter(rest), ...times }, withVectors });
    }
    const isWhole = Object.keys(toFilter(rest)).length === 0 && after === undefined && before === undefined;
    const filter = isWhole ? undefined : { ...toFilter(rest), after, before };
    return context.engine.exportRecords(context.caller, { filter, includeDeleted, includeVersions });
  },
  rest: {
    at: 'GET /export',
    summary: 'Export everything as JSON lines, including versions and relations; deleted ones with include_deleted',
    headers: ['X-Time-Zone'],
    answers: {
      200: 'A header line, one line per record, version and relation, a line for whatever is damaged and left out, and an end line with a checksum.',
    },
    streams: 'out',
  },
  command: {
    name: 'export',
    summary: 'Write memories as JSON lines',
    usage: '[FILE | -]',
    about:
      'Includes versions and relations, so that `ltm import` restores everything exactly. Damaged records are left out, marked in the file and named; the exit code is then 6.',
    flags: [...FILTER_FLAGS, 'as', 'include_embeddings'],
    own: [
      ALL_TAGS,
      { name: 'include-deleted', description: 'Also deleted ones.' },
      { name: 'no-versions', description: 'Leave out earlier versions.' },
    ],
    maxWords: 1,
    examples: ['ltm export memories.jsonl', 'ltm export --project web | gzip > web.jsonl.gz'],
  },
});

const MAX_PROBLEMS_SHOWN = 50;

export const importRecords = defineVerb<ImportOptions & { lines: AsyncIterable<string> }, ImportReport>({
  needs: 'admin',
  handed: ['lines', 'onProgress'],
  input: {
    dry_run: flag('Only report what would happen.'),
    skip_damaged: flag('Leave out lines that are damaged, name each, and import the rest.'),
    untrusted: flag('Mark everything as untrusted, whatever the file says.'),
    no_redact: flag('Take secrets in as they are instead of replacing them.'),
    update: flag('Bring up to date what an earlier import brought and nobody has changed here since.'),
  },
  run: ({ engine, caller }, { lines, ...options }) => engine.importRecords(caller, lines, options),
  rest: {
    at: 'POST /import',
    summary: 'Import what GET /export returned',
    answers: { 200: 'What was imported. If a line is invalid, the import fails before anything is written.' },
    streams: 'in',
    problem: {
      of: ({ problems }) =>
        problems.length === 0
          ? null
          : {
              code: 'invalid_input',
              message: `Nothing was imported: ${problems.length === 1 ? '1 line is' : `${problems.length} lines are`} invalid.`,
              hint: 'skip_damaged leaves out such lines and imports the others.',
              errors: problems
                .slice(0, MAX_PROBLEMS_SHOWN)
                .map(({ line, message }) => ({ field: `line ${line}`, message })),
            },
      toOutcome: ({ errors }) => {
        const problems = readProblems(errors);
        return problems.length === 0 ? null : { ...NOTHING_IMPORTED, problems };
      },
    },
  },
  command: {
    name: 'import',
    summary: 'Read memories from an export, from another memory system, or from notes',
    usage: '[FILE | FOLDER | -]',
    about:
      "Takes ltm's own exports as JSON lines, and what other systems keep: it recognises mcp-memory-service, the networked server, LongMem, the Go ltm server, federated-memory, the reference MCP memory server, claude-mem, mem0, data exports of ChatGPT and Claude, and folders of Markdown; --from names the system. The source is only read. Exports are all or nothing: if a line is invalid, nothing is written, unless --skip-damaged is given. Existing memories are not changed; importing from another system again brings what is new or has changed there. Ends when everything is embedded and indexed; interrupting that loses nothing. See docs/import.md.",
    flags: ['dry_run', 'skip_damaged', 'untrusted', 'no_redact'],
    own: [
      {
        name: 'from',
        value: 'SYSTEM',
        description: 'The system that the file or folder belongs to, if it is not recognised.',
      },
      {
        name: 'project',
        short: 'p',
        value: 'NAME',
        description: 'From another system: the project of memories that have none.',
      },
    ],
    maxWords: 1,
    examples: [
      'ltm import memories.jsonl',
      'ltm import ~/notes --dry-run',
      'ltm import --from mcp-memory-service sqlite_vec.db',
    ],
  },
});

const NOTHING_IMPORTED: Omit<ImportReport, 'problems'> = {
  records: 0,
  unchanged: 0,
  updated: 0,
  rejected: 0,
  versions: 0,
  relations: 0,
  conflicts: [],
  redacted: [],
  skipped: [],
  lacking: [],
};

function readProblems(errors: unknown): ImportReport['problems'] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap(({ field, message }: { field: string; message: string }) => {
    const line = /^line (\d+)$/.exec(field)?.[1];
    return line === undefined ? [] : [{ line: Number(line), message }];
  });
}
