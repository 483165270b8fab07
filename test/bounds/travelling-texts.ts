import { createHash } from 'node:crypto';
import { newRecordId } from '../../src/model/ids.ts';
import { hashContent } from '../../src/model/record.ts';

const AT = 1_790_000_000_000;
const SOURCE = { door: 'rest', userId: 'a', client: 'node' };
const UNSAID = ['key', 'project', 'workspace', 'agent', 'session', 'conversation', 'author'] as const;
const WITHOUT = Object.fromEntries(UNSAID.map((name) => [name, null]));
let made = 0;

/** A memory with this text as a line of an exchange between replicas, never the same one. */
export function lineOfExchange(content: string): string {
  const dot = `6ef6645d90d7bcfb:${++made}`;
  const values = {
    ...WITHOUT,
    kind: 'memory',
    type: 'note',
    quality: 0.5,
    createdAt: AT,
    updatedAt: AT,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
  };
  const fields = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { dot, time: AT, value }]));
  const said = { content, title: null, source: SOURCE, trust: 'agent', body: { metadata: {} }, time: AT };
  const parts = { text: { [dot]: said }, 'tag untagged': { [dot]: { time: AT } } };
  const state = { generation: 1, seen: { '6ef6645d90d7bcfb': made }, parts, fields };
  return `${JSON.stringify({ id: newRecordId(Date.now()), buried: 0, purgedAt: null, state, versions: [] })}\n`;
}

/** The same as a whole export. */
export function exportOf(content: string): string {
  const record = {
    ...WITHOUT,
    id: newRecordId(Date.now()),
    kind: 'memory',
    revision: 1,
    type: 'note',
    title: null,
    content,
    contentHash: hashContent(content),
    tags: ['untagged'],
    source: SOURCE,
    trust: 'agent',
    quality: 0.5,
    createdAt: AT,
    updatedAt: AT,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    deletedAt: null,
    body: { metadata: {} },
  };
  const lines = `{"format":"ltm-export","version":1}\n${JSON.stringify({ record })}\n`;
  const sha256 = createHash('sha256').update(lines).digest('hex');
  return `${lines}${JSON.stringify({ end: { records: 1, versions: 0, relations: 0, graves: 0, sha256 } })}\n`;
}
