import type { NoteDamage } from '../model/damage.ts';
import type { PassageReader } from './ports.ts';
import type { Ranked, Ranking } from './rank.ts';
import { idOf } from './search-set.ts';
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
  passages: PassageReader;
  note: NoteDamage;
}

async function findHolding(
  reading: Reading,
  batch: readonly Ranked[],
  phrases: readonly string[],
): Promise<Map<Ranked, number>> {
  const holding = new Map<Ranked, number>();
  for (const [space, own] of Map.groupBy(batch, (each) => each.part.space)) {
    const passages = await reading.passages.readPassages(space, own.map(idOf), reading.note);
    for (const each of own) {
      const found = passages
        .get(idOf(each))
        ?.find(({ text }) => phrases.every((phrase) => containsPhrase(text, phrase)));
      if (found !== undefined) holding.set(each, each.part.part.columns.docStart[each.record]! + found.ordinal);
    }
  }
  return holding;
}
