import { type Instant, newPacketId } from '../../model/ids.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import type { JsonShape } from '../../verbs/verb.ts';
import { LATEST_PACKET_VERSION } from './packet.ts';

const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const text = (description?: string) => ({ type: 'string', ...(description !== undefined && { description }) });
const oneOf = (...words: string[]) => ({ type: 'string', enum: words });
const entries = (description: string, properties: JsonShape, required: string[]) => ({
  type: 'array',
  description,
  items: { type: 'object', properties, required },
});
const CONFIDENCE = oneOf('low', 'medium', 'high');

/** What a packet is made of, for a model that has never seen one. The engine checks it and names every fault. */
const PROPERTIES = {
  goal: text('Required. What the work is for, one sentence, 1-1024 characters'),
  next_step: text('Required. The first action of the next session, 1-1024 characters'),
  success_criteria: texts('How to see that it is done; up to 16'),
  constraints: texts('What must hold; up to 32'),
  decisions: entries(
    'Up to 64',
    {
      what: text(),
      why: text(),
      consequences: text('What breaks if it is revisited'),
      locked: { type: 'boolean', description: 'Settled' },
    },
    ['what', 'why'],
  ),
  attempts: entries(
    'What was tried; up to 64',
    { tried: text(), outcome: oneOf('succeeded', 'failed', 'partial'), learned: text(), confidence: CONFIDENCE },
    ['tried', 'outcome'],
  ),
  methods: entries(
    'Recipes worth repeating; up to 32',
    { name: text('a-z 0-9 -, e.g. run-e2e'), when_applicable: text(), how: text('Up to 2048 characters') },
    ['name', 'when_applicable', 'how'],
  ),
  open_questions: texts('Up to 32'),
  project: { type: 'object', properties: { name: text('Repository'), ref: text('Branch or commit') } },
  tags: texts('a-z 0-9 -; up to 16'),
  parent_id: text('Id of the packet this one continues'),
  provenance: {
    type: 'object',
    properties: { author_model: text(), author_human: text(), confidence: CONFIDENCE },
  },
  id: text('Given by the server if absent; an id of yours replaces that packet'),
  created_at: text('RFC 3339; now if absent'),
  ltm_version: oneOf('0.1', '0.2'),
};

export const PACKET_SHAPE: JsonShape = {
  type: 'object',
  description: 'Texts up to 1024 characters each, 32768 bytes in all; no other fields; no secrets, no local paths',
  properties: PROPERTIES,
  required: ['goal', 'next_step'],
};

export const PLAIN_PACKET_SHAPE: JsonShape = {
  type: 'object',
  description: 'As `ltm pull` gives it, or as save describes it',
};

/** An agent need not make up an id, the time and the version: what is absent is added, and does not count. */
export function completePacket(given: unknown, now: Instant): { raw: string; received: number } {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const received = Buffer.byteLength(text);
  const value = typeof given === 'string' ? parseJson(given) : given;
  if (!isObject(value)) return { raw: text, received };
  const added = { ltm_version: LATEST_PACKET_VERSION, id: newPacketId(now), created_at: toIsoSeconds(now) };
  return { raw: JSON.stringify({ ...added, ...value }), received };
}
