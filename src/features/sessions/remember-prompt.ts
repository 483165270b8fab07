import type { EngineParts } from '../../engine/engine-parts.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { originOf } from '../../engine/records/origin.ts';
import type { Redactor } from '../../engine/records/redact-content.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { sourceOf } from '../../engine/rejections/claims.ts';
import { findInTurns } from '../../engine/rejections/space-rejections.ts';
import type { Caller } from '../../model/caller.ts';
import type { PutChange } from '../../model/change.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import { hashContent, lowestTrust, type RecordContent } from '../../model/record.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { orUntagged } from '../memories/new-memory.ts';
import { readStatements } from './read-statements.ts';

const REMEMBER = /(?<![\p{L}\p{N}_#])#remember(?![\p{L}\p{N}_-])/giu;
const SKIP = /(?<![\p{L}\p{N}_#])#skip(?![\p{L}\p{N}_-])/iu;
const STANDING =
  /(?<!\p{L})(?:always|never|prefer|immer|niemals?|bevorzug|toujours|jamais|préfèr|siempre|nunca|prefier|sempre|prefir)|必ず|絶対に|总是|永远不要|一律|优先/iu;

/** What is to be remembered of a prompt. */
export function withoutRemember(text: string): string {
  return text.replace(REMEMBER, '').trim();
}

/** Without the turns that their prompts want left out: from such a prompt to the next one of the session. */
export function withoutSkipped(events: readonly SessionEvent[]): SessionEvent[] {
  const skipping = new Set<string>();
  return events
    .toSorted((a, b) => a.at - b.at)
    .filter(({ event, session, text = '' }) => {
      if (event === 'prompt' && SKIP.test(text)) skipping.add(session);
      else if (event === 'prompt') skipping.delete(session);
      return !skipping.has(session) || event === 'start' || event === 'end';
    });
}

/** Memories of their own, made of the prompts that ask for it; believed no more than anything that was captured. */
export async function planRemembered(
  parts: EngineParts,
  caller: Caller,
  { events, redactor }: { events: readonly SessionEvent[]; redactor: Redactor },
): Promise<PutChange[]> {
  const drafts: { id: RecordId; content: RecordContent }[] = [];
  const pace = createPacer();
  for (const event of events) {
    const said = event.event === 'prompt' ? (event.text ?? '') : '';
    const content = withoutRemember(said);
    if (content === said.trim() || content === '') continue;
    await redactor.readAhead(content);
    await pace();
    const { source, trust } = originOf(caller, caller.host);
    const drafted = makeContent(memoryKind, parts.clock.now(), {
      content,
      key: rememberedKey(event.session, content),
      type: typeOf(content),
      tags: orUntagged([]),
      body: { metadata: {} },
      agent: event.agent,
      session: event.session,
      project: event.project ?? null,
      source,
      trust: lowestTrust(trust, 'agent'),
    });
    await pace();
    drafts.push({ id: rememberedId(event.key), content: redactor.content(drafted).content });
    await pace();
  }
  if (drafts.length === 0) return [];
  const wanted: typeof drafts = [];
  for (const draft of drafts) {
    const { content } = draft;
    const said = { text: content.content, from: sourceOf(content) };
    if ((await findInTurns(parts.rejections, caller.space, said)) === null) wanted.push(draft);
  }
  const made = await createSearchableMaker(parts)(wanted.map(({ content }) => content));
  return wanted.map((draft, i) => {
    const { passages, vectors } = made[i]!;
    return { op: 'put', ...draft, passages, vectors, expect: 'never', unlessDuplicate: true };
  });
}

function typeOf(content: string): string {
  if (STANDING.test(content)) return 'preference';
  return readStatements(content).some(({ kind }) => kind === 'decided') ? 'decision' : 'note';
}

const HASH_CHARS = 12;
const MAX_KEY_CHARS = 200;

/** Says that it was read out of a session, and what: as the key of what is harvested does. */
function rememberedKey(session: string, content: string): string {
  return `remember:${session}:${hashContent(content).slice(0, HASH_CHARS)}`.slice(-MAX_KEY_CHARS);
}

/** Made of the event's key, so that what was remembered once is not remembered again, not even after a purge. */
function rememberedId(key: string): string {
  return derivedRecordId(`remembered\n${key}`);
}
