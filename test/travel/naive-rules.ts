import { type Holding, type IsBuried, mergeHoldings } from '../../src/model/merge-states.ts';
import { DELETION, listTexts, type Parts, type SharedState, TEXT } from '../../src/model/shared-state.ts';
import { writeState } from '../../src/model/write-state.ts';
import { RULES, type Rules } from './simulated-replica.ts';

type Failing = 'diverged' | 'cameBack' | 'lost' | 'purgedFound';

/** Rules that others have tried, and what each breaks. */
export const NAIVE_RULES: readonly { name: string; breaks: Failing; rules: Rules }[] = [
  { name: 'the whole record by its last write', breaks: 'lost', rules: { ...RULES, merge: laterWins } },
  {
    name: 'the time is not raised above what was seen',
    breaks: 'lost',
    rules: { ...RULES, write: (before, write, writing) => atTime(writeState(before, write, writing), writing) },
  },
  { name: 'the text that loses is not kept', breaks: 'lost', rules: onMerged(keepShownText) },
  { name: 'an edit beats a deletion', breaks: 'cameBack', rules: onMerged(liveWhereEdited) },
  { name: 'deletions are forgotten', breaks: 'cameBack', rules: onMerged(forgetDeletions) },
  { name: 'a purge leaves no grave', breaks: 'purgedFound', rules: { ...RULES, leavesGraves: false } },
  { name: 'a later edit beats a purge', breaks: 'purgedFound', rules: { ...RULES, merge: editBeatsGrave } },
  { name: 'a scrub is an edit', breaks: 'purgedFound', rules: { ...RULES, scrubs: 'edit' } },
  { name: 'what was deleted long ago is purged', breaks: 'lost', rules: { ...RULES, expires: 'all' } },
  { name: 'tags are joined', breaks: 'cameBack', rules: { ...RULES, merge: joinTags } },
  { name: 'a relation with a missing end is dropped', breaks: 'lost', rules: { ...RULES, relationsWait: false } },
  {
    name: 'the position moves before the page is taken in',
    breaks: 'lost',
    rules: { ...RULES, movesPosition: 'before' },
  },
  { name: 'a backup that is put back keeps its replica', breaks: 'lost', rules: { ...RULES, renews: ['epoch'] } },
  { name: 'a backup that is put back keeps its epoch', breaks: 'lost', rules: { ...RULES, renews: ['replica'] } },
  { name: 'what is not known is dropped', breaks: 'lost', rules: onMerged(dropUnknown) },
];

function onMerged(change: (state: SharedState, here: Holding, there: Holding) => SharedState): Rules {
  const merge = (here: Holding, there: Holding, isBuried: IsBuried): Holding => {
    const merged = mergeHoldings(here, there, isBuried);
    return merged.state === null ? merged : { ...merged, state: change(merged.state, here, there) };
  };
  return { ...RULES, merge };
}

function laterWins(here: Holding, there: Holding, isBuried: IsBuried): Holding {
  const { buried, state } = mergeHoldings(here, there, isBuried);
  if (here.state === null || there.state === null || state === null) return { buried, state };
  return { buried, state: newest(here.state) >= newest(there.state) ? here.state : there.state };
}

function newest({ parts, fields }: SharedState): number {
  const times = Object.values(parts).flatMap((some) => Object.values(some).map(({ time }) => time));
  return Math.max(0, ...times, ...Object.values(fields).map(({ time }) => time));
}

function atTime(state: SharedState, { dot, now }: { dot: string; now: number }): SharedState {
  const fields = Object.entries(state.fields).map(([name, field]) => [
    name,
    field.dot === dot ? { ...field, time: now } : field,
  ]);
  return { ...state, fields: Object.fromEntries(fields) };
}

function keepShownText(state: SharedState): SharedState {
  const [shown] = listTexts(state);
  if (shown === undefined) return state;
  const { dot, ...part } = shown;
  return withPart(state, TEXT, { [dot]: part });
}

function withPart(state: SharedState, name: string, part: Parts | undefined): SharedState {
  const { [name]: _, ...rest } = state.parts;
  return { ...state, parts: part === undefined ? rest : { ...rest, [name]: part } };
}

function liveWhereEdited(state: SharedState): SharedState {
  const [shown] = listTexts(state);
  const deletions = Object.values(state.parts[DELETION] ?? {});
  return shown !== undefined && deletions.some(({ time }) => time < shown.time)
    ? withPart(state, DELETION, undefined)
    : state;
}

function forgetDeletions(state: SharedState, here: Holding): SharedState {
  return here.state === null ? withPart(state, DELETION, undefined) : state;
}

function editBeatsGrave(here: Holding, there: Holding, isBuried: IsBuried): Holding {
  const merged = mergeHoldings(here, there, isBuried);
  const edited = [here.state, there.state].filter((state) => state !== null);
  const [last] = edited.sort((a, b) => newest(b) - newest(a));
  return merged.state === null && last !== undefined ? { buried: last.generation - 1, state: last } : merged;
}

function joinTags(here: Holding, there: Holding, isBuried: IsBuried): Holding {
  const merged = mergeHoldings(here, there, isBuried);
  if (merged.state === null) return merged;
  let { state } = merged;
  for (const side of [here.state, there.state])
    for (const [name, parts] of Object.entries(side?.parts ?? {}))
      if (name.startsWith('tag ') && side?.generation === state.generation)
        state = withPart(state, name, { ...state.parts[name], ...parts });
  return { ...merged, state };
}

function dropUnknown(state: SharedState): SharedState {
  const { unheard: _, ...fields } = state.fields;
  return { ...state, fields };
}
