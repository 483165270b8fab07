import type { Kind, Note } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import type { JsonObject } from '../../model/json.ts';
import { hashContent } from '../../model/record.ts';
import { EMPTY_DIGEST, type SessionDigest, toSession } from './observation.ts';

/** Of one session of an agent what it came to; what happened in it are observations. */
export const sessionKind: Kind = {
  name: 'session',
  plural: 'sessions',
  staysHere: true,
  code: 3,
  ownVerbs: ['store', 'update'],
  listPassages: ({ content }) => splitPassages(content).map((text) => ({ part: '', text })),
  derive(record) {
    const content = composeContent(record.title ?? '', record.body);
    return { ...record, content, contentHash: hashContent(content) };
  },
  listNotes(record) {
    const { asked, done, decided, failed, open } = toSession(record).digest;
    const notes = (about: Note['about'], texts: readonly string[]): Note[] =>
      texts.filter((text) => text !== '').map((text) => ({ about, text, isDated: true }));
    const told = [
      ...notes('decided', decided),
      ...notes('failed', failed),
      ...notes('open', open),
      ...notes('other', done.toReversed()),
    ];
    return told.length > 0 || /[?？]$/.test(asked) ? told : notes('other', [asked]);
  },
  describeHit: ({ session, body }) => ({ session, ended_at: body.endedAt ?? null }),
};

function composeContent(title: string, { digest, firstPrompt }: JsonObject): string {
  const { asked, done, decided, failed, open, next } = { ...EMPTY_DIGEST, ...(digest as object) } as SessionDigest;
  const lines = [
    title,
    asked === title ? '' : asked || String(firstPrompt ?? ''),
    ...done.map((line) => `Done: ${line}`),
    ...decided.map((line) => `Decided: ${line}`),
    ...failed.map((line) => `Failed: ${line}`),
    ...open.map((line) => `Open: ${line}`),
    next === '' ? '' : `Next step: ${next}`,
  ];
  return [...new Set(lines.filter((line) => line !== ''))].join('\n').toWellFormed();
}
