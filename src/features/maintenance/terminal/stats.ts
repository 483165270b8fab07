import type { CommandContext } from '../../../cli/command.ts';
import { safeLine, showBytes, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { HealthShown, Stats } from '../verbs/check-health.ts';

const SHOWN = 8;

export async function stats({ terminal, answer, ...context }: CommandContext): Promise<void> {
  const client = await context.client();
  const [health, counts] = [await client.checkHealth({}), await client.showStats({})];
  const { types } = await client.listTypes({});
  const { projects } = await client.listProjects({});
  const { tags } = await client.listTags({});
  const { agents } = await client.listAgents({});
  const labels = { types, projects, tags, agents };
  answer({ ...health, ...counts, labels }, () => {
    showHealth(health, counts, terminal);
    for (const [name, values] of Object.entries(labels)) showCounts(name, values, terminal);
  });
}

function showHealth(health: HealthShown, stats: Stats, { print, paint }: Terminal): void {
  const { status, problems, notices, embedder, index } = health;
  const row = (name: string, value: string): void => print(`${paint('dim', name.padEnd(10))} ${value}`);
  row('status', status === 'healthy' ? paint('green', status) : paint('yellow', status));
  for (const line of [...problems, ...notices]) row('', safeLine(line));
  row(
    'memories',
    `${stats.memories.toLocaleString('en')} live, ${stats.createdThisWeek} new this week, ${stats.superseded} superseded, ${stats.deleted} deleted`,
  );
  row(
    'history',
    `${showCount(stats.versions, 'version')}, ${showCount(stats.relations, 'relation')}, ${showCount(stats.changes, 'change')}`,
  );
  row(
    'index',
    `${showCount(stats.passages, 'passage')} in ${showCount(index.segments, 'segment')} (${showBytes(index.segmentBytes)})`,
  );
  row(
    'meaning',
    embedder === null
      ? 'no embedder: search by words only'
      : `${safeLine(embedder.id)}, ${embedder.dimensions} dimensions, ${embedder.pending} pending`,
  );
  const size = `${health.store}, ${health.bytes === undefined ? '' : `${showBytes(health.bytes)}, `}`;
  row(
    'database',
    `${health.location === undefined ? '' : `${safeLine(health.location)} `}(${size}schema ${health.schemaVersion})`,
  );
  if (health.rowSecurity !== null && health.rowSecurity !== undefined) row('', safeLine(health.rowSecurity.detail));
}

function showCounts(
  name: string,
  values: readonly { name: string; count: number }[],
  { print, paint }: Terminal,
): void {
  if (values.length === 0) return;
  const shown = values.slice(0, SHOWN);
  const more = values.length > SHOWN ? `, and ${values.length - SHOWN} more` : '';
  print(
    `${paint('dim', name.padEnd(10))} ${shown.map(({ name: value, count }) => `${safeLine(value)} ${count}`).join(', ')}${more}`,
  );
}
