import type { Passages, Records } from '../engine/ports.ts';
import type { KindTable } from '../engine/records/kind.ts';
import type { NoteDamage } from '../model/damage.ts';
import type { RecordId, SpaceId } from '../model/ids.ts';
import type { Passage } from '../model/passage.ts';
import { deriveWhereKnown, idOf } from './present-hits.ts';
import type { Ranked, Ranking } from './rank.ts';
import { containsPhrase } from './text/contains-phrase.ts';

export interface PhrasePage {
  winners: Ranked[];
  /** Records seen so far that hold the phrases, plus those not looked at yet. */
  total: number;
  next: number | null;
}

const BATCH = 50;

/** Goes down the ranking and keeps records that hold every phrase in one passage, until the page is full. */
export async function walkPhrases(
  reading: Reading,
  ranking: Ranking,
  { phrases, offset, limit }: { phrases: readonly string[]; offset: number; limit: number },
): Promise<PhrasePage> {
  const winners: Ranked[] = [];
  let refused = 0;
  for (let start = 0; start < ranking.best.length; start += BATCH) {
    const batch = ranking.best.slice(start, start + BATCH);
    const holding = await findHolding(reading, batch, phrases);
    for (const each of batch) {
      const doc = holding.get(each);
      if (doc === undefined) refused++;
      else winners.push({ ...each, doc });
    }
    if (winners.length > offset + limit) break;
  }
  const total = ranking.best.length - refused;
  return {
    winners: winners.slice(offset, offset + limit),
    total,
    next: winners.length > offset + limit ? offset + limit : null,
  };
}

interface Reading {
  store: Records & Passages;
  kinds: KindTable;
  note: NoteDamage;
}

async function findHolding(
  reading: Reading,
  batch: readonly Ranked[],
  phrases: readonly string[],
): Promise<Map<Ranked, number>> {
  const holding = new Map<Ranked, number>();
  for (const [space, own] of Map.groupBy(batch, (each) => each.part.space)) {
    const passages = await readTexts(reading, space, own.map(idOf));
    for (const each of own) {
      const found = passages
        .get(idOf(each))
        ?.find(({ text }) => phrases.every((phrase) => containsPhrase(text, phrase)));
      if (found !== undefined) holding.set(each, each.part.part.columns.docStart[each.record]! + found.ordinal);
    }
  }
  return holding;
}

/** Damaged passages are made anew from their records. */
async function readTexts(
  { store, kinds, note }: Reading,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, Passage[]>> {
  const passages = await store.readPassages(space, ids);
  const missing = ids.filter((id) => !passages.has(id));
  if (missing.length === 0) return passages;
  for (const record of await store.getRecords(space, missing, note))
    passages.set(record.id, deriveWhereKnown(kinds, record));
  return passages;
}
