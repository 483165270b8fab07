import type { CommandContext } from '../../../cli/command.ts';
import { tellDamaged, tellMissing } from '../../../cli/need-refs.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, safeText, showCount, showTime } from '../../../cli/safe-text.ts';
import { type OutputStream, type Terminal, writeAll } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { streamPrivateFile } from '../../../settings/private-file.ts';
import type { Client } from '../../../verbs/client.ts';
import type { Observation } from '../observation.ts';
import { type ExportInput, MAX_EXPORT_DAYS } from '../verbs/export-observations.ts';
import { type ListedSessions, listSessions } from '../verbs/list-sessions.ts';
import { type ListObservationsInput, listObservations } from '../verbs/read-observations.ts';

export async function sessions({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const page = await (await client()).listSessions(readFlags<object>(listSessions, args));
  const { sessions: found, total, cursor } = page;
  answer(page, () => {
    for (const session of found) showSession(session, terminal);
    const more = cursor === null ? '' : ` · more with --cursor ${cursor}`;
    terminal.note(total === 0 ? 'No sessions.' : `${found.length} of ${showCount(total, 'session')}${more}`);
  });
  return tellDamaged(page.damaged, terminal);
}

function showSession(session: ListedSessions['sessions'][number], { print, paint }: Terminal): void {
  const { startedAt, lastAt, title, project, agent, state, counts, digest } = session;
  const about = [agent, project, state, showCount(counts.observations, 'observation')].filter((one) => one !== null);
  print(`${paint('bold', safeLine(title))}  ${paint('dim', safeLine(session.session))}`);
  print(
    `  ${paint('dim', `${showTime(startedAt)} to ${showTime(lastAt)} · ${about.map((one) => safeLine(String(one))).join(' · ')}`)}`,
  );
  for (const line of digest.done.slice(0, 3)) print(`  done: ${safeLine(line)}`);
  for (const line of digest.decided.slice(0, 3)) print(`  decided: ${safeLine(line)}`);
  for (const line of digest.open.slice(0, 3)) print(`  open: ${safeLine(line)}`);
  if (digest.next !== '') print(`  next: ${safeLine(digest.next)}`);
}

export async function observations(context: CommandContext): Promise<number> {
  const [word, ...rest] = context.args.words;
  if (word === 'get') return get(context, rest);
  if (word === 'export') return exportAll(context, rest);
  if (word === 'forget') return forget(context, rest);
  if (word === 'stats') return stats(context);
  return list(context);
}

async function list({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const page = await (await client()).listObservations({
    ...readFlags<ListObservationsInput>(listObservations, args),
    query: args.words.join(' ').trim() || undefined,
  });
  const { observations: found, total, cursor } = page;
  answer(page, () => {
    for (const observation of found) showLine(observation, terminal);
    const more = cursor === null ? '' : ` · more with --cursor ${cursor}`;
    terminal.note(
      found.length === 0 ? 'No observations.' : `${found.length} of ${showCount(total, 'observation')}${more}`,
    );
  });
  return tellDamaged(page.damaged, terminal);
}

function showLine(observation: Observation, { print, paint }: Terminal): void {
  const { number, at, type, tool, summary, title, project, trust } = observation;
  const about = [showTime(at), tool ?? type, project, trust === 'untrusted' ? 'untrusted' : null];
  const shown = about.filter((one) => one !== null).map((one) => safeLine(String(one)));
  print(`${paint('bold', `#${number}`)} ${paint('dim', shown.join(' · '))}`);
  print(`  ${safeLine(summary || title)}`);
}

async function get({ terminal, answer, client }: CommandContext, refs: string[]): Promise<number> {
  if (refs.length === 0) throw needsNumbers('get');
  const found = await (await client()).getObservations({ refs: refs.map(withoutSign) });
  answer(found, () =>
    found.observations.forEach((observation, at) => {
      if (at > 0) terminal.print('');
      showLine(observation, terminal);
      showWhole(observation, terminal);
    }),
  );
  return tellDamaged(found.damaged, terminal) || tellMissing(found.missing, 'observation', terminal);
}

function showWhole(observation: Observation, { print, paint }: Terminal): void {
  const { files, concepts, input, output, text, session, agent } = observation;
  const row = (name: string, value: string): void => {
    if (value !== '') print(`  ${paint('dim', name.padEnd(9))} ${safeText(value).replaceAll('\n', '\n  ')}`);
  };
  row('session', `${session}${agent === null ? '' : ` (${agent})`}`);
  row('files', files.join(', '));
  row('concepts', concepts.join(', '));
  row('said', text);
  row('input', input);
  row('output', output);
}

async function forget({ args, terminal, answer, client }: CommandContext, refs: string[]): Promise<number> {
  const session = args.text('session');
  if (refs.length === 0 && session === undefined) throw needsNumbers('forget');
  const derived = args.isOn('derived') || undefined;
  const wanted = refs.length > 0 ? { refs: refs.map(withoutSign) } : { session: session!, derived };
  const out = await (await client()).forgetObservations(wanted);
  answer(out, () =>
    terminal.note(`Forgot ${showCount(out.forgotten, 'record')}. \`ltm purge\` removes them for good.`),
  );
  if (out.derivedCount > 0) terminal.warn(describeStaying(out));
  return tellMissing(out.missing, refs.length > 0 ? 'observation' : 'session', terminal);
}

const MOST_NAMED = 10;

function describeStaying({ derived, derivedCount }: Awaited<ReturnType<Client['forgetObservations']>>): string {
  const named = `${derived.slice(0, MOST_NAMED).join(', ')}${derivedCount > MOST_NAMED ? ' …' : ''}`;
  const are = derivedCount === 1 ? 'is' : 'are';
  return `${showCount(derivedCount, 'memory', 'memories')} of this session ${are} still there: ${named}. --derived takes them along.`;
}

async function exportAll({ args, terminal, client }: CommandContext, rest: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError('`ltm observations export` takes no words.', 'Name the file with --out.');
  const input: ExportInput = {
    project: args.text('project'),
    days: args.number('days', { min: 1, max: MAX_EXPORT_DAYS }),
    format: args.text('format') as ExportInput['format'],
    includeRaw: args.isOn('raw') || undefined,
  };
  const lines = await (await client()).exportObservations(input);
  const file = args.text('out') ?? '-';
  const write = async (stream: OutputStream): Promise<void> => {
    for await (const line of lines) await writeAll(stream, `${terminal.showsToPerson ? safeText(line) : line}\n`);
  };
  if (file === '-') await write(terminal.streams.stdout);
  else await streamPrivateFile(file, write);
  if (file !== '-') terminal.note(`Exported to ${file}.`);
  return 0;
}

async function stats({ terminal, answer, client }: CommandContext): Promise<number> {
  const counts = await (await client()).countObserved({});
  answer(counts, () => {
    terminal.print(`Sessions: ${counts.sessions}`);
    terminal.print(`Observations: ${counts.observations}`);
    terminal.print(`User observations: ${counts.userObservations}`);
    terminal.print(`Concepts: ${counts.concepts}`);
  });
  return 0;
}

function withoutSign(ref: string): string {
  return ref.replace(/^#/, '');
}

function needsNumbers(command: string): UsageError {
  return new UsageError(
    `\`ltm observations ${command}\` needs the number or id of an observation.`,
    '`ltm observations` shows numbers.',
  );
}
