import type { EngineParts } from '../../../engine/engine-parts.ts';
import { passagesOf } from '../../../engine/records/kind.ts';
import { actorOf } from '../../../engine/records/origin.ts';
import { createChange, updateChange } from '../../../engine/records/record-changes.ts';
import { makeContent } from '../../../engine/records/store-record.ts';
import type { Caller } from '../../../model/caller.ts';
import type { Change } from '../../../model/change.ts';
import type { Instant } from '../../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../../model/record.ts';
import type { ReadSaid, SaidLine } from '../../../model/said-line.ts';
import { originIn } from '../find-workspace.ts';
import { bodyOf } from '../workspace-kind.ts';
import { partRecordId, TRANSCRIPT_PART, writeTurns } from './transcript-body.ts';

/** Longer ones hold pictures or whole files, and nothing that anybody said. */
const MAX_LINE_BYTES = 256 << 10;
/** Of one thing that was said. */
const MAX_SAID_CHARS = 20_000;
const BATCH = 20;
const NEWLINE = 0x0a;

export interface SaidAt extends SaidLine {
  /** Counted from the beginning of the piece. */
  line: number;
}

/** What people and models said in a piece of a transcript. A line that began in the piece before is not read. */
export function listSaid({ readSaid }: { readSaid?: ReadSaid }, bytes: Buffer): SaidAt[] {
  if (readSaid === undefined) return [];
  const said: SaidAt[] = [];
  let [from, line] = [0, 0];
  for (let end = bytes.indexOf(NEWLINE); from < bytes.length; end = bytes.indexOf(NEWLINE, from)) {
    const to = end < 0 ? bytes.length : end;
    const found = to - from > MAX_LINE_BYTES ? null : readSaid(bytes.toString('utf8', from, to));
    if (found !== null) said.push({ ...found, text: found.text.slice(0, MAX_SAID_CHARS).toWellFormed(), line });
    from = to + 1;
    line++;
  }
  return said;
}

export interface PartPlan {
  place: StoredRecord;
  session: string;
  startedAt: Instant;
  now: Instant;
}

export interface NewPart {
  chunk: string;
  /** Its place among the pieces. */
  index: number;
  /** The first line of the piece in the transcript. */
  firstLine: number;
  said: readonly SaidAt[];
}

/** Gathers what was said in new pieces, and writes it a few pieces at a time. Vectors come later, in the background. */
export function createPartWriter(parts: EngineParts, caller: Caller, plan: PartPlan) {
  let waiting: NewPart[] = [];
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) await writeParts(parts, caller, plan, batch);
  };
  return {
    async add(part: NewPart): Promise<void> {
      if (part.said.length === 0) return;
      waiting.push(part);
      if (waiting.length >= BATCH) await flush();
    },
    flush,
  };
}

async function writeParts(
  parts: EngineParts,
  caller: Caller,
  plan: PartPlan,
  batch: readonly NewPart[],
): Promise<void> {
  const contents = batch.map((part) => ({ id: idOf(plan, part.index), content: contentOf(parts, caller, plan, part) }));
  const ids = contents.map(({ id }) => id);
  const known = new Map((await parts.store.getRecords(caller.space, ids)).map((record) => [record.id, record]));
  const changes = contents.flatMap(({ id, content }): Change[] => {
    const there = known.get(id);
    const kind = parts.kinds.need(TRANSCRIPT_PART);
    const options = { passages: passagesOf(kind, content), vectors: [], unlessDuplicate: false };
    if (there === undefined) return [createChange(id, content, options)];
    const restored: Change[] = there.deletedAt === null ? [] : [{ op: 'restore', id, at: plan.now }];
    const revision = there.revision + restored.length;
    const isSame = there.body.chunk === content.body.chunk && there.body.firstLine === content.body.firstLine;
    if (restored.length === 0 && isSame) return [];
    return [...restored, { ...updateChange({ ...there, revision }, content, options), isDerived: true }];
  });
  // Somebody who uploads the same session at the same time writes the same parts: their conflict is no loss.
  if (changes.length > 0) await parts.store.commit(caller.space, changes, actorOf(caller));
}

function idOf({ place, session }: PartPlan, index: number): string {
  return partRecordId(place.key ?? '', session, index);
}

function contentOf(
  parts: EngineParts,
  caller: Caller,
  { place, session, startedAt, now }: PartPlan,
  { chunk, firstLine, said }: NewPart,
): RecordContent {
  const { project, tool } = bodyOf(place);
  const { content, turns } = writeTurns(said);
  const at = said.find((one) => one.at !== null)?.at ?? startedAt;
  return makeContent(parts.kinds.need(TRANSCRIPT_PART), now, {
    createdAt: at,
    workspace: place.key,
    project: project.slice(0, 200),
    agent: tool.slice(0, 200),
    session,
    title: titleOf(said),
    ...originIn(caller, place),
    content,
    body: { sessionId: session, chunk, firstLine, turns },
  });
}

/** Of what was said in a piece. */
export function titleOf(said: readonly SaidAt[]): string | null {
  return said[0]?.text.split('\n', 1)[0]?.slice(0, 100).toWellFormed() ?? null;
}
