import { EngineError } from '../model/errors.ts';
import type { Instant } from '../model/ids.ts';
import { sha256Of } from '../model/sha256.ts';
import { slugOf } from '../model/workspace-id.ts';

/** A transcript without its lines. */
export interface TranscriptFacts {
  workspaceId: string;
  sessionId: string;
  title: string;
  firstPrompt: string;
  /** What wrote it, such as claude-code. */
  source: string | null;
  startedAt: Instant;
  endedAt: Instant;
  uploadedAt: Instant;
  lines: number;
  bytes: number;
  /** Of all its bytes. */
  sha256: string;
  endsWithNewline: boolean;
}

const MAX_SESSION_CHARS = 200;

/** Sessions are named by agents: a name is a name, and becomes a file name only as a slug. */
export function checkSessionId(id: string): string {
  const isSound =
    /^[\p{L}\p{N}][\p{L}\p{N}._:@~+-]*$/u.test(id) && id.length <= MAX_SESSION_CHARS && !id.includes('..');
  if (isSound) return id;
  throw new EngineError('invalid_input', 'This is not the id of a session.', {
    hint: 'An id begins with a letter or digit and has letters, digits and . _ : @ ~ + -.',
    details: { field: 'session_id' },
  });
}

/** Where a transcript lies below the sessions of its workspace: by year and month of its session. */
export function transcriptPath(session: string, startedAt: Instant): string {
  const [year, month] = new Date(startedAt).toISOString().split('-');
  return `${year}/${month}/${fileNameOf(session)}.jsonl.gz`;
}

/** The id itself where it is a file name everywhere, such as a UUID; otherwise a slug and what tells it from others of the same slug. */
function fileNameOf(session: string): string {
  if (/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(session)) return session;
  return `${slugOf(session)}-${sha256Of(session).slice(0, 8)}`;
}
