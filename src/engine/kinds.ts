import { runKind } from './consolidation/run-kind.ts';
import { documentKind, sectionKind } from './documents/document-kind.ts';
import { entityKind } from './entities/entity-kind.ts';
import { memoryKind } from './memories/memory-kind.ts';
import { packetKind } from './packets/packet-kind.ts';
import { type Kind, type KindTable, makeKindTable } from './records/kind.ts';
import { rejectionKind } from './rejections/rejection-kind.ts';
import { observationKind } from './sessions/observation-kind.ts';
import { sessionKind } from './sessions/session-kind.ts';
import { spendKind } from './summaries/spend-kind.ts';
import { transcriptKind, transcriptPartKind } from './transcripts/transcript-kind.ts';
import { noteKind } from './workspaces/note-kind.ts';
import { workspaceKind } from './workspaces/workspace-kind.ts';

/** The kinds of records that the product has. A new one joins here, with a code that none ever had. */
export const KINDS: readonly Kind[] = [
  memoryKind,
  packetKind,
  observationKind,
  sessionKind,
  spendKind,
  workspaceKind,
  noteKind,
  runKind,
  documentKind,
  sectionKind,
  entityKind,
  rejectionKind,
  transcriptKind,
  transcriptPartKind,
];

export function kindTableOf({ kinds = KINDS }: { kinds?: readonly Kind[] }): KindTable {
  return makeKindTable(kinds);
}
