import type { Note } from '../../../engine/records/kind.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { splitAsked } from '../digest-session.ts';
import { type AgentSession, toSession } from '../observation.ts';
import { type ContextLine, makeLine } from './context-line.ts';

/** What the latest sessions of the project left: of the last one all, of those before it what was decided. Newest first. */
export function listSessionLines(records: readonly StoredRecord[]): ContextLine[] {
  const told = records
    .map((record) => ({ record, session: toSession(record) }))
    .filter(({ session }) => saysMuch(session))
    .sort((a, b) => b.session.lastAt - a.session.lastAt);
  return told.flatMap(({ record, session }, i) => {
    const { decided, failed, open, next, done, asked } = session.digest;
    const lines = (about: Note['about'], texts: readonly string[], why: string): ContextLine[] =>
      texts.filter((text) => text !== '').map((text) => makeLine(record, { about, text }, { why }));
    const agreed = lines('decided', decided.toReversed(), 'decided in an earlier session');
    if (i > 0) return agreed;
    const came = done.slice(-1);
    const summary = { about: 'other', text: [asked, ...came].join(' → '), isDated: true } as const;
    const says = [...splitAsked(asked), ...came];
    return [
      ...lines('next', [next], 'next step of the last session'),
      ...lines('open', open, 'left open in the last session'),
      ...lines('failed', failed.toReversed(), 'failed in the last session'),
      ...agreed,
      ...(summary.text === '' ? [] : [makeLine(record, summary, { why: 'the last session', says })]),
    ];
  });
}

/** One that was opened and closed again has nothing to tell. */
function saysMuch({ digest: { done, decided, failed, open, next } }: AgentSession): boolean {
  return done.length + decided.length + failed.length + open.length > 0 || next !== '';
}
