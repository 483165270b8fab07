import type { Kind } from '../../../engine/records/kind.ts';
import { splitPassages } from '../../../engine/records/split-passages.ts';
import { pointerName, scrubbedName } from '../../../model/chunk.ts';
import { hashContent } from '../../../model/record.ts';
import { chunksIn, partRecordId, TRANSCRIPT, TRANSCRIPT_PART, turnsIn, writeTurns } from './transcript-body.ts';

/** A session of an agent to the byte: its lines are pieces in a table of their own, which its body names. */
export const transcriptKind: Kind = {
  name: TRANSCRIPT,
  plural: 'transcripts',
  staysHere: true,
  code: 22,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: ({ content }) => splitPassages(content).map((text) => ({ part: '', text })),
  derive(record) {
    const { title, firstPrompt, sha256 } = record.body;
    const content = [title, firstPrompt].filter((text) => typeof text === 'string' && text !== '').join('\n\n');
    return { ...record, title: String(title), content, contentHash: String(sha256 ?? hashContent(content)) };
  },
  findFaults: ({ workspace, body }) =>
    workspace === null || typeof body.sessionId !== 'string' || !Array.isArray(body.chunks)
      ? ['it does not say which session it is']
      : [],
  describeHit: ({ workspace, body }) => ({ workspace_id: workspace, session_id: body.sessionId ?? null, line: 0 }),
  keptDays: ({ keepTranscriptsDays }) => keepTranscriptsDays,
  holds: ({ workspace, body }) =>
    chunksIn(body).map((_, index) => partRecordId(workspace ?? '', String(body.sessionId), index)),
  chunksOf: ({ body }) =>
    chunksIn(body).flatMap(({ sha256, sent, removed = [] }) => [
      sha256,
      ...(sent === undefined ? [] : [pointerName(sent)]),
      ...removed.map(scrubbedName),
    ]),
  scrubPieces: async (record, work) => (await import('./scrub-transcript.ts')).scrubTranscript(record, work),
};

/** What people and models said in one piece of a transcript. Many, and found when asked for. */
export const transcriptPartKind: Kind = {
  name: TRANSCRIPT_PART,
  plural: 'transcript parts',
  code: 23,
  isFoundByNameOnly: true,
  partOf: TRANSCRIPT,
  staysHere: true,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: ({ content, body }) =>
    turnsIn(body).flatMap(({ line, start, end }) =>
      splitPassages(content.slice(start, end)).map((text) => ({ part: String(line), text })),
    ),
  redactContent({ content, body }, redact) {
    const turns = turnsIn(body).map(({ line, start, end }) => ({ line, text: redact(content.slice(start, end)) }));
    const written = writeTurns(turns);
    return { content: written.content, body: { ...body, turns: written.turns } };
  },
  derive: (record) => ({ ...record, contentHash: hashContent(record.content) }),
  findFaults: ({ body }) => (Array.isArray(body.turns) ? [] : ['it does not say who said what']),
  describeHit: ({ workspace, body }, part) => ({
    workspace_id: workspace,
    session_id: body.sessionId ?? null,
    line: Number(body.firstLine ?? 0) + Number(part),
  }),
  keptDays: ({ keepTranscriptsDays }) => keepTranscriptsDays,
};
