import { existsSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve, sep } from 'node:path';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { Trust } from '../../../model/record.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import type { Client } from '../../../verbs/client.ts';
import type { IngestOutcome } from '../document.ts';
import { type FilesReport, ingestFiles } from '../ingest-files.ts';
import { watchFiles } from '../watch-files.ts';

const URL_WORD = /^https?:\/\//i;
const MAX_FILES = 1_000_000;

export async function ingest(context: CommandContext): Promise<number> {
  const { args, terminal, answer, sources } = context;
  const urls = args.words.filter((word) => URL_WORD.test(word));
  const paths = args.words.filter((word) => !URL_WORD.test(word));
  if (args.words.length === 0)
    throw new UsageError('`ltm ingest` needs a file, a folder or a URL.', 'For example `ltm ingest docs`.');
  if (args.text('title') !== undefined && !isOne(args.words))
    throw new UsageError(
      '--title is for one file or URL.',
      'Leave it out: documents are called as they call themselves.',
    );
  const client = await context.client({ team: args.text('team') });
  const server = await context.server();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const labels = readLabels(context);
  const options = {
    labels,
    maxBytes: loadConfigOnce(sources).maxDocumentBytes,
    recursive: !args.isOn('no-recursive'),
    endings: args.list('ext'),
    maxFiles: args.number('max-files', { min: 1, max: MAX_FILES }),
    uriOf: (path: string) => uriFor(path, server),
    ingest: (input: Parameters<Client['ingestDocument']>[0]) => client.ingestDocument(input),
    onProgress: (path: string, done: number, total: number) => progress.show(safeLine(path), done, total),
  };
  const pages: IngestOutcome[] = [];
  for (const url of urls) {
    const { trust: _, modifiedAt: __, ...said } = labels;
    pages.push(await client.ingestUrl({ url, ...said }));
  }
  const report = await ingestFiles(paths, options);
  const isDryRun = args.isOn('dry-run');
  const removed = args.isOn('prune') ? await prune(client, paths, { server, project: labels.project, isDryRun }) : 0;
  progress.end();
  const result = { ...report, pages: pages.map(({ redactions: _, ...page }) => page), removed };
  answer(result, () => show(report, { pages, removed }, terminal));
  if (args.isOn('watch')) await watch(context, { paths, options, client, server });
  return report.failed.length > 0 ? EXIT.incomplete : EXIT.ok;
}

function isOne([first = '', ...others]: readonly string[]): boolean {
  return (
    others.length === 0 && (URL_WORD.test(first) || statSync(first, { throwIfNoEntry: false })?.isFile() !== false)
  );
}

/** A path as the origin of a document: on a server, with the machine it is a path of. */
export function uriFor(path: string, server: string | null): string {
  const plain = path.split(sep).join('/');
  return server === null ? plain : `${hostname()}:${plain}`;
}

function readLabels({ args }: CommandContext) {
  return {
    tags: args.list('tag'),
    project: args.text('project'),
    type: args.text('type'),
    title: args.text('title'),
    trust: args.text('trust') as Trust | undefined,
    sectionChars: args.number('section-chars', { min: 200, max: 20_000 }),
    overlapChars: args.number('overlap-chars', { min: 0, max: 10_000 }),
    dryRun: args.isOn('dry-run') || undefined,
    noRedact: args.isOn('no-redact') || undefined,
    modifiedAt: undefined,
  };
}

interface Pruning {
  server: string | null;
  project: string | undefined;
  isDryRun: boolean;
}

/** Documents that came from these folders, and whose files are not there any more. */
async function prune(
  client: Client,
  paths: readonly string[],
  { server, project, isDryRun }: Pruning,
): Promise<number> {
  const before = uriFor('', server);
  const roots = paths.map((path) => `${uriFor(realpathSync(resolve(path)), server)}/`);
  const gone: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listDocuments({ project, limit: 500, cursor });
    for (const { id, uri } of page.documents)
      if (roots.some((root) => uri.startsWith(root)) && !existsSync(uri.slice(before.length))) gone.push(id);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  if (gone.length === 0) return 0;
  const { documents } = await client.removeDocuments({ refs: gone, dryRun: isDryRun || undefined });
  return documents.length;
}

interface Watching {
  paths: readonly string[];
  options: Parameters<typeof ingestFiles>[1];
  client: Client;
  server: string | null;
}

async function watch(context: CommandContext, { paths, options, client, server }: Watching): Promise<void> {
  const { terminal, json, args } = context;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  terminal.note(`Watching ${paths.join(', ')}; Ctrl-C ends it.`);
  await watchFiles(paths, {
    ...options,
    onProgress: undefined,
    signal: stop.signal,
    async onGone(gone) {
      const project = args.text('project');
      const { documents } = await client.removeDocuments({ refs: gone.map((path) => uriFor(path, server)), project });
      if (json) terminal.printJson({ removed: documents.map(({ uri }) => uri) });
      else for (const { uri } of documents) terminal.print(safeLine(`removed ${uri}`));
    },
    onReport(report) {
      if (json) terminal.printJson(report);
      else showChanges(report, terminal);
    },
  });
}

const SHOWN = 20;

function show(
  report: FilesReport,
  { pages, removed }: { pages: readonly IngestOutcome[]; removed: number },
  terminal: Terminal,
): void {
  showChanges(report, terminal);
  for (const { outcome, document } of pages) terminal.print(safeLine(`${outcome} ${document.uri}`));
  const reasons = Map.groupBy(report.skipped, ({ message }) => message);
  for (const [message, files] of reasons) {
    const named = files.slice(0, 3).map(({ path }) => path);
    const more = files.length > named.length ? ` and ${files.length - named.length} more` : '';
    terminal.note(safeLine(`passed over (${message}): ${named.join(', ')}${more}`));
  }
  const { ingested, updated, unchanged, sections, dryRun } = report;
  const counted = `${showCount(ingested + pages.length, 'document')} new, ${updated} updated, ${unchanged} unchanged`;
  const gone = removed > 0 ? `, ${removed} removed` : '';
  terminal.print(
    `${dryRun ? 'Would be: ' : ''}${counted}${gone}; sections: ${sections.added} written, ${sections.moved} moved, ${sections.unchanged} as they were, ${sections.removed} removed.`,
  );
}

function showChanges(report: FilesReport, terminal: Terminal): void {
  const changed = report.documents.filter(({ outcome }) => outcome !== 'unchanged');
  for (const { outcome, path, counts, warnings } of changed.slice(0, SHOWN)) {
    terminal.print(safeLine(`${outcome.replace('_', ' ')} ${path}  (${showCount(counts.added, 'section')} written)`));
    for (const warning of warnings) terminal.warn(safeLine(`${path}: ${warning}`));
  }
  if (changed.length > SHOWN) terminal.print(`and ${changed.length - SHOWN} more`);
  for (const { path, message, hint = '' } of report.failed) terminal.warn(safeLine(`${path}: ${message} ${hint}`));
}
