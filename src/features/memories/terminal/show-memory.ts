import { safeLine, safeText, showAge, showTime } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { cutText } from '../../../cli/text-width.ts';
import { OWNER_USER } from '../../../model/caller.ts';
import { cleanText } from '../../../model/hidden-characters.ts';
import type { Instant } from '../../../model/ids.ts';
import { listLabels } from '../../../model/memory.ts';
import { describeSource } from '../../../verbs/describe-origin.ts';
import type { Memory } from '../memory.ts';

/** Two lines: what it says, and what it is. */
export function showMemoryLine(memory: Memory, terminal: Terminal, now: Instant): void {
  const { paint, print, width } = terminal;
  const mark = memory.deletedAt === null ? '' : paint('red', ' (deleted)');
  print(paint('bold', cutText(safeLine(cleanText(memory.content)), width - (mark === '' ? 0 : 10))) + mark);
  print(`  ${showLabels(memory, terminal, now)}`);
}

/** Everything: facts first, then the content as it is. */
export function showMemory(memory: Memory, terminal: Terminal, now: Instant): void {
  const { paint, print } = terminal;
  print(showLabels(memory, terminal, now));
  for (const [name, value] of listFacts(memory)) print(`${paint('dim', `${name}:`)} ${safeLine(value)}`);
  print('');
  print(safeText(memory.content));
}

type Labelled = Pick<Memory, 'id' | 'type' | 'tags' | 'project' | 'trust' | 'createdAt'>;

export function showLabels(memory: Labelled, { paint }: Terminal, now: Instant): string {
  const parts = [
    paint('cyan', memory.id),
    safeLine(memory.type),
    ...(memory.project === null ? [] : [safeLine(memory.project)]),
    ...(memory.tags.length === 0 ? [] : [memory.tags.map((tag) => `#${safeLine(tag)}`).join(' ')]),
    showAge(memory.createdAt, now),
    ...(memory.trust === 'untrusted' ? [paint('yellow', 'untrusted')] : []),
  ];
  return parts.join(paint('dim', ' · '));
}

function listFacts(memory: Memory): [name: string, value: string][] {
  const { source } = memory;
  const facts: [string, string | null][] = [
    ['key', memory.key],
    ...listLabels(memory).map(([{ wire }, value]): [string, string] => [wire.replace(/_id$/, ''), value]),
    ['metadata', Object.keys(memory.metadata).length === 0 ? null : JSON.stringify(memory.metadata)],
    ['created', showTime(memory.createdAt)],
    ['updated', memory.updatedAt === memory.createdAt ? null : showTime(memory.updatedAt)],
    ['valid from', memory.validFrom === null ? null : showTime(memory.validFrom)],
    ['valid until', memory.validUntil === null ? null : showTime(memory.validUntil)],
    ['superseded by', memory.supersededBy],
    ['deleted', memory.deletedAt === null ? null : showTime(memory.deletedAt)],
    ['from', describeSource(source, OWNER_USER)],
    ['imported', source.at === undefined ? null : showTime(source.at)],
    ['trust', memory.trust],
    ['quality', memory.quality === 0.5 ? null : String(memory.quality)],
    ['revision', String(memory.revision)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
