import { EngineError } from '../../model/errors.ts';
import { cleanName, withoutUnseen } from '../../model/hidden-characters.ts';
import type { Instant } from '../../model/ids.ts';
import { sha256Of } from '../../model/sha256.ts';
import { type WorkspaceTriple, workspaceIdOf } from '../../model/workspace-id.ts';

/** A workspace as everybody who may read it sees it. */
export interface Workspace extends WorkspaceTriple {
  workspaceId: string;
  description: string;
  overview: string;
  knowledgeCount: number;
  sessionCount: number;
  createdAt: Instant;
  /** Of whatever changed last: the workspace, a note or a transcript. */
  updatedAt: Instant;
  /** Secrets in what is uploaded are replaced. */
  redact: boolean;
}

/** Which memory something was copied from. */
export interface MemoryIdentity {
  /** The same for as long as it is this memory; another one in every other database. */
  memory: string;
  /** The number of its last change; it never falls. */
  changes: number;
}

/** A note without its text. */
export interface NoteFacts {
  workspaceId: string;
  path: string;
  bytes: number;
  /** Of the text as it is kept. */
  sha256: string;
  updatedAt: Instant;
  /** How many earlier texts there are. */
  versions: number;
  deletedAt: Instant | null;
}

export const MAX_NOTE_BYTES = 1 << 20;
export const MAX_OVERVIEW_BYTES = 64 << 10;
const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
const MAX_NAME_CHARS = 200;

/** The id of a triple whose own id another triple has already. */
export function secondWorkspaceIdOf(triple: WorkspaceTriple): string {
  const names = JSON.stringify([triple.machine, triple.tool, triple.project]);
  return `${workspaceIdOf(triple)}-${sha256Of(names).slice(0, 6)}`;
}

/** As it is seen; whatever it holds, it becomes a file name only as a slug. */
export function readTripleName(field: keyof WorkspaceTriple, value: string): string {
  const name = cleanName(value.normalize('NFC'));
  const isSound = name !== '' && name.length <= MAX_NAME_CHARS && !CONTROL.test(name) && name.isWellFormed();
  if (isSound) return name;
  throw new EngineError('invalid_input', `${field} must have 1 to ${MAX_NAME_CHARS} characters that can be shown.`, {
    details: { field },
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Names that Windows gives to devices, with whatever ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** A path as somebody gives it: without what nobody sees. */
export function readNotePath(path: string): string {
  return checkNotePath(withoutUnseen(path));
}

/**
 * The path of a note inside its workspace, in the one form in which it is kept (NFC). Whatever could mean another place on some machine is
 * refused, so that a path can be joined to a folder wherever it is written.
 */
export function checkNotePath(path: string): string {
  const fault = findPathFault(path);
  if (fault === null) return path.normalize('NFC');
  throw new EngineError('invalid_input', `This path cannot be used: ${fault}.`, {
    hint: 'Use a relative path with forward slashes that ends in .md, such as decisions/database.md.',
    details: { field: 'path' },
  });
}

function findPathFault(given: string): string | null {
  const path = given.normalize('NFC');
  if (path === '') return 'it is empty';
  if (!path.isWellFormed()) return 'it is not Unicode';
  if (CONTROL.test(path)) return 'it has a control character';
  if (withoutUnseen(path) !== path) return 'it has a character that nobody sees';
  if (path.includes('\\')) return 'it has a backslash';
  if (path.includes(':')) return 'it has a colon';
  if (path.startsWith('/')) return 'it is absolute';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (!/\.md$/.test(path)) return 'it does not end in .md';
  return (
    path
      .split('/')
      .map(findSegmentFault)
      .find((fault) => fault !== null) ?? null
  );
}

function findSegmentFault(segment: string): string | null {
  if (segment === '') return 'a part of it is empty';
  if (segment.startsWith('.')) return 'a part of it begins with a dot';
  if (/[. ]$/.test(segment) || segment.startsWith(' '))
    return 'a part of it begins or ends with a blank, or ends with a dot';
  if (DEVICE.test(segment)) return 'a part of it is the name of a device';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `a part of it is longer than ${MAX_SEGMENT_BYTES} bytes`;
  return null;
}

/** `20260131T101500Z.1a2b3c4d`: when a text was replaced, and the beginning of its hash. */
export function versionNameOf(replacedAt: Instant, sha256: string): string {
  const stamp = new Date(replacedAt).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  return `${stamp}.${sha256.slice(0, 8)}`;
}
