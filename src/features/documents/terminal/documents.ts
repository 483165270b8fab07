import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, safeText, showCount, showTime } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import { nearestName } from '../../../model/nearest-name.ts';
import type { Client } from '../../../verbs/client.ts';
import type { DocumentSummary } from '../document.ts';
import { uriFor } from './ingest.ts';

const STEPS = { list: listAll, show: showOne, remove: removeSome, restore: restoreOne } as const;
const DEFAULT_SECTIONS = 20;

export async function documents(context: CommandContext): Promise<number> {
  const [name = 'list', ...refs] = context.args.words;
  const names = Object.keys(STEPS) as (keyof typeof STEPS)[];
  const step = names.find((one) => one === name);
  if (step === undefined) {
    const nearest = nearestName(name, names);
    throw new UsageError(
      `\`ltm documents\` has no subcommand "${name}".`,
      nearest === null ? '`ltm help documents` lists them.' : `Did you mean \`ltm documents ${nearest}\`?`,
    );
  }
  const needsOne = step === 'show' || step === 'restore';
  if (needsOne && refs.length !== 1) throw new UsageError(`\`ltm documents ${step}\` needs one document.`);
  const client = await context.client({ team: context.args.text('team') });
  return STEPS[step](context, client, refs);
}

async function listAll({ args, terminal, answer }: CommandContext, client: Client): Promise<number> {
  const listed = await client.listDocuments({
    tags: args.list('tag'),
    project: args.text('project'),
    limit: args.number('limit', { min: 1, max: 1000 }),
    cursor: args.text('cursor'),
  });
  answer(listed, () => {
    if (listed.documents.length === 0) return terminal.note('There are no documents. `ltm ingest PATH` takes some in.');
    const rows = listed.documents.map((document) => [
      safeLine(document.title),
      document.format,
      String(document.sections),
      showTime(document.updatedAt),
      document.id,
      safeLine(document.uri) + (document.state === 'ready' ? '' : ' (incomplete)'),
    ]);
    showTable([['title', 'format', 'sections', 'updated', 'id', 'from'], ...rows], terminal);
    const more = listed.cursor === null ? '' : `; more with --cursor ${listed.cursor}`;
    terminal.note(`${listed.documents.length} of ${showCount(listed.total, 'document')}${more}`);
  });
  return EXIT.ok;
}

async function showOne(context: CommandContext, client: Client, [ref = '']: readonly string[]): Promise<number> {
  const { args, terminal, answer } = context;
  const limit = args.number('limit', { min: 0, max: 1000 }) ?? DEFAULT_SECTIONS;
  const found = await client.getDocument({ ref: await named(context, ref), project: args.text('project'), limit });
  const { document, sections } = found;
  answer(found, () => {
    terminal.print(terminal.paint('bold', safeLine(document.title)));
    terminal.print(describe(document));
    for (const { headings, page, line, content } of sections) {
      const place = page !== null ? `page ${page}` : line !== null ? `line ${line}` : '';
      terminal.print('');
      terminal.print(
        terminal.paint('dim', safeLine([headings.join(' › '), place].filter((text) => text !== '').join(' · '))),
      );
      terminal.print(safeText(content));
    }
    const left = document.sections - sections.length;
    if (left > 0) terminal.note(`${showCount(left, 'more section')}: --limit shows more.`);
  });
  return EXIT.ok;
}

function describe({ uri, format, pages, sections, state, id }: DocumentSummary): string {
  const parts = [safeLine(uri), format, ...(pages === null ? [] : [showCount(pages, 'page')])];
  return [...parts, showCount(sections, 'section'), ...(state === 'ready' ? [] : [state]), id].join(' · ');
}

async function removeSome(context: CommandContext, client: Client, refs: readonly string[]): Promise<number> {
  const { args, terminal, answer } = context;
  const names = await Promise.all(refs.map((ref) => named(context, ref)));
  const outcome = await client.removeDocuments({
    refs: names,
    tags: args.list('tag'),
    project: args.text('project'),
    dryRun: args.isOn('dry-run') || undefined,
  });
  answer(outcome, () => {
    for (const { title, uri } of outcome.documents) terminal.print(safeLine(`${title} (${uri})`));
    for (const ref of outcome.missing) terminal.warn(safeLine(`There is no document ${ref}.`));
    const done = outcome.outcome === 'deleted' ? 'Removed' : 'Would remove';
    terminal.note(
      `${done} ${showCount(outcome.documents.length, 'document')} with ${showCount(outcome.sections, 'section')}.`,
    );
  });
  return outcome.missing.length > 0 ? EXIT.notFound : EXIT.ok;
}

async function restoreOne(context: CommandContext, client: Client, [ref = '']: readonly string[]): Promise<number> {
  const { terminal, answer } = context;
  const { document } = await client.restoreDocument({ ref: await named(context, ref) });
  answer({ document }, () => terminal.print(safeLine(`Restored ${document.title} (${document.uri}).`)));
  return EXIT.ok;
}

/** A path of this machine, as documents from here are called; anything else as it is. */
async function named(context: CommandContext, ref: string): Promise<string> {
  const isPath = existsSync(ref) || /^\.{0,2}\//.test(ref);
  return isPath ? uriFor(resolve(ref), await context.server()) : ref;
}
