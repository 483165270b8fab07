import type { Records } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { sha256Of } from '../../model/sha256.ts';
import { versionNameOf } from './workspace.ts';

/** A text that a note or an overview has had, without it. */
export interface TextVersion {
  /** `20260131T101500Z.1a2b3c4d`, or `current`. */
  version: string;
  /** Counted from 1. */
  revision: number;
  sha256: string;
  bytes: number;
  writtenAt: Instant;
  /** Null: it is the current one. */
  replacedAt: Instant | null;
}

export type KeptText = TextVersion & { content: string };

/** Every text that a record has had, newest first; changes of anything else make none. */
export async function listTexts(
  { store }: { store: Records },
  record: StoredRecord,
  textOf = ({ content }: StoredRecord): string => content,
): Promise<KeptText[]> {
  const texts: KeptText[] = [];
  const push = (content: string, facts: Pick<TextVersion, 'revision' | 'writtenAt' | 'replacedAt'>): void => {
    const sha256 = sha256Of(content);
    const { replacedAt } = facts;
    const version = replacedAt === null ? 'current' : versionNameOf(replacedAt, sha256);
    texts.push({ version, ...facts, sha256, bytes: Buffer.byteLength(content), content });
  };
  const { revision, updatedAt, deletedAt } = record;
  push(textOf(record), { revision, writtenAt: updatedAt, replacedAt: deletedAt });
  for (const { record: earlier, replacedAt } of await store.listVersions(record.space, record.id)) {
    const content = textOf(earlier);
    if (content !== texts.at(-1)?.content)
      push(content, { revision: earlier.revision, writtenAt: earlier.updatedAt, replacedAt });
  }
  return texts;
}

/** By its name or its revision. */
export function findText(texts: readonly KeptText[], version = 'current', what: 'note' | 'overview'): KeptText {
  const found = texts.find((text) => text.version === version || String(text.revision) === version);
  if (found !== undefined) return found;
  throw new EngineError('not_found', `This ${what} has no such version.`, {
    hint: `It has ${texts
      .map((text) => text.version)
      .slice(0, 5)
      .join(', ')}.`,
    details: { version: version.slice(0, 100) },
  });
}

export function versionOf({ content: _, ...facts }: KeptText): TextVersion {
  return facts;
}
