import type { Health } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import { showBytes, showCount } from '../show-age.ts';
import type { Terminal } from '../terminal.ts';
import { toJson } from '../to-json.ts';

const LABELS = ['type', 'project', 'tag', 'agent'] as const;
const SHOWN = 8;

export async function run({ terminal, json, open }: CommandContext): Promise<number> {
  const { engine, caller } = await open();
  const health = await engine.checkHealth(caller);
  const counts = await Promise.all(LABELS.map((label) => engine.countLabels(caller, label)));
  const labels = Object.fromEntries(LABELS.map((label, at) => [`${label}s`, counts[at]!]));
  if (json) terminal.printJson({ ...toStatsJson(health), labels });
  else {
    showHealth(health, terminal);
    for (const [name, values] of Object.entries(labels)) showCounts(name, values, terminal);
  }
  return EXIT.ok;
}

/** What REST gives at /stats and /health, in one object. */
function toStatsJson({ facts, tags, createdThisWeek, ...health }: Health): object {
  const {
    records: memories,
    store,
    location,
    schemaVersion,
    deleted,
    superseded,
    passages,
    relations,
    versions,
    bytes,
  } = facts;
  const counts = { memories, deleted, superseded, createdThisWeek, tags, passages, relations, versions, bytes };
  return toJson({ ...health, ...counts, store, location, schemaVersion }) as object;
}

function showHealth({ status, problems, facts, createdThisWeek, embedder }: Health, { print, paint }: Terminal): void {
  const row = (name: string, value: string): void => print(`${paint('dim', name.padEnd(10))} ${value}`);
  row('status', status === 'healthy' ? paint('green', status) : paint('yellow', status));
  for (const problem of problems) row('', safeLine(problem));
  row(
    'memories',
    `${facts.records.toLocaleString('en')} live, ${createdThisWeek} new this week, ${facts.superseded} superseded, ${facts.deleted} deleted`,
  );
  row(
    'history',
    `${showCount(facts.versions, 'version')}, ${showCount(facts.relations, 'relation')}, ${showCount(facts.head, 'change')}`,
  );
  row(
    'index',
    `${showCount(facts.passages, 'passage')} in ${showCount(facts.segments, 'segment')} (${showBytes(facts.segmentBytes)})`,
  );
  row(
    'meaning',
    embedder === null
      ? 'no embedder: search by words'
      : `${safeLine(embedder.id)}, ${embedder.dimensions} dimensions, ${embedder.pending} pending`,
  );
  row(
    'database',
    `${safeLine(facts.location)} (${facts.store}, ${showBytes(facts.bytes)}, schema ${facts.schemaVersion})`,
  );
}

function showCounts(
  name: string,
  values: readonly { value: string; count: number }[],
  { print, paint }: Terminal,
): void {
  if (values.length === 0) return;
  const shown = [...values].sort((a, b) => b.count - a.count).slice(0, SHOWN);
  const more = values.length > SHOWN ? `, and ${values.length - SHOWN} more` : '';
  print(
    `${paint('dim', name.padEnd(10))} ${shown.map(({ value, count }) => `${safeLine(value)} ${count}`).join(', ')}${more}`,
  );
}
