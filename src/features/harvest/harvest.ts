import type { Said, Transcript, TranscriptAgent, TranscriptFile } from '../../agents/agent-transcript.ts';
import { readTranscript } from '../../agents/find-transcripts.ts';
import { cutText } from '../../model/cut-text.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import { sha256Of } from '../../model/sha256.ts';
import type { Memory, StoreMemoryInput, StoreOutcome } from '../memories/memory.ts';
import { findScreenedStatements, type Statement } from './find-statements.ts';
import { STATEMENT_TYPES, type StatementType } from './statements/statement.ts';

/** A statement with where it was made. */
export interface Candidate extends Statement {
  tags: readonly string[];
  /** The same statement of the same message has the same key, whenever it is read. */
  key: string;
  messageId: string;
  by: Said['by'];
  at: Instant | null;
}

/** What one session has to give. */
export interface Harvest {
  agent: TranscriptAgent;
  session: string;
  project: string | null;
  directory: string | null;
  messages: number;
  unreadable: number;
  candidates: readonly Candidate[];
}

export interface HarvestOptions {
  types?: readonly StatementType[];
  minConfidence: number;
  /** The project of a folder. */
  projectOf(folder: string): string | null;
}

export const DEFAULT_MIN_CONFIDENCE = 0.6;
const HARVEST_TAG = 'session-harvest';

export async function harvestFile(file: TranscriptFile, options: HarvestOptions): Promise<Harvest | null> {
  const transcript = await readTranscript(file);
  return transcript === null ? null : harvest(transcript, options);
}

async function harvest(
  transcript: Transcript,
  { types = STATEMENT_TYPES, ...options }: HarvestOptions,
): Promise<Harvest> {
  const { agent, session, directory, said, unreadable } = transcript;
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  for (const one of said)
    for (const statement of await findScreenedStatements(one)) {
      if (!types.includes(statement.type) || statement.confidence < options.minConfidence) continue;
      const hash = sha256Of(statement.text.toLowerCase()).slice(0, 12);
      if (seen.has(hash)) continue;
      seen.add(hash);
      candidates.push({
        ...statement,
        tags: [HARVEST_TAG, `harvest:${statement.type}`],
        key: `harvest:${agent}:${session}:${hash}`.slice(-200),
        messageId: one.id,
        by: one.by,
        at: one.at,
      });
    }
  const project = directory === null ? null : options.projectOf(directory);
  return { agent, session, project, directory, messages: said.length, unreadable, candidates };
}

/** The types of memories that ltm has for them. */
const MEMORY_TYPE: Readonly<Record<StatementType, string>> = {
  decision: 'decision',
  bug: 'bug',
  convention: 'convention',
  learning: 'learning',
  context: 'fact',
};

/** As it is stored: said in a session, so believed no more than an agent is, whoever asks for it to be stored. */
function memoryOf(candidate: Candidate, { agent, session, project }: Harvest): StoreMemoryInput {
  const { type, text, confidence, tags, key, messageId, by, at } = candidate;
  return {
    content: text,
    type: MEMORY_TYPE[type],
    tags: [...tags],
    key,
    agent,
    trust: 'agent',
    ...(project !== null && { project }),
    ...(at !== null && { validFrom: at }),
    // as a label it would skip the check for near duplicates
    metadata: { confidence, session_id: session, message_id: messageId, said_by: by },
    onDuplicate: 'refuse',
  };
}

export interface StoredHarvest {
  stored: number;
  /** Was there already, from an earlier reading or in other words. */
  known: number;
  /** Left out: a person has rejected them, or deleted what this session had said. */
  rejected: number;
}

/** Where the memories are, near or far. */
export interface HarvestStore {
  store(memories: StoreMemoryInput[]): Promise<readonly StoreOutcome[]>;
  get(id: RecordId): Promise<Memory | null>;
}

const BATCH = 50;

/** Stores what is new. What an earlier session said of the same thing is superseded; what anybody else has stored stays as it is. */
export async function storeHarvest(harvested: Harvest, there: HarvestStore): Promise<StoredHarvest> {
  const memories = harvested.candidates.map((candidate) => memoryOf(candidate, harvested));
  const counts: StoredHarvest = { stored: 0, known: 0, rejected: 0 };
  for (let at = 0; at < memories.length; at += BATCH) {
    const batch = memories.slice(at, at + BATCH);
    const outcomes = await there.store(batch);
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'rejected') {
        counts.rejected++;
        continue;
      }
      const isStored =
        outcome.outcome === 'refused'
          ? await supersedeEarlier(batch[i]!, outcome.resembles[0]?.id, there)
          : outcome.outcome === 'stored';
      counts[isStored ? 'stored' : 'known']++;
    }
  }
  return counts;
}

/** Whether it took the place of what was harvested before, from an earlier time. */
async function supersedeEarlier(
  memory: StoreMemoryInput,
  nearest: RecordId | undefined,
  there: HarvestStore,
): Promise<boolean> {
  const earlier = nearest === undefined ? null : await there.get(nearest);
  if (earlier === null || !earlier.tags.includes(HARVEST_TAG)) return false;
  if (memory.validFrom === undefined || memory.validFrom <= (earlier.validFrom ?? 0)) return false;
  const [outcome] = await there.store([{ ...memory, onDuplicate: 'supersede' }]);
  return outcome?.outcome === 'stored';
}

function countByType(candidates: readonly Candidate[]): Partial<Record<StatementType, number>> {
  const counts: Partial<Record<StatementType, number>> = {};
  for (const { type } of candidates) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

const SHOWN_CHARS = 200;

/** A session in the words of the tool `memory_harvest`. */
export function describeHarvest({ session, messages, candidates }: Harvest, stored: number, rejected = 0) {
  return {
    session_id: session,
    total_messages: messages,
    found: candidates.length,
    stored,
    ...(rejected > 0 && { rejected }),
    by_type: countByType(candidates),
    candidates: candidates.map(({ type, text, confidence, tags }) => ({
      type,
      content: cutText(text, SHOWN_CHARS),
      confidence,
      tags,
    })),
  };
}
