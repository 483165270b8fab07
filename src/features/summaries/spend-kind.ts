import type { Kind } from '../../engine/records/kind.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { hashContent, type StoredRecord } from '../../model/record.ts';
import type { DaySpend } from './spend.ts';

/** The ledger: one record for each day and model, so that what was spent is counted once however many processes there are. */
export const spendKind: Kind = {
  name: 'spend',
  plural: 'days of spending',
  staysHere: true,
  code: 4,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  isFoundByNameOnly: true,
  listPassages: ({ content }) => [{ part: '', text: content }],
  derive(record) {
    const { day, model, calls } = readSpend(record.body);
    const content = `Summaries by ${model} on ${day}: ${calls} calls`;
    return { ...record, key: `${day} ${model}`, title: content, content, contentHash: hashContent(content) };
  },
  findFaults: ({ body: { day, model } }) =>
    typeof day === 'string' && typeof model === 'string' ? [] : ['it says neither day nor model'],
};

export function readSpend(body: JsonObject): DaySpend {
  const count = (name: string): number => (typeof body[name] === 'number' ? body[name] : 0);
  return {
    day: String(body.day),
    model: String(body.model),
    calls: count('calls'),
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    summarized: count('summarized'),
    failed: count('failed'),
  };
}

export function spendId(day: string, model: string): RecordId {
  return derivedRecordId(`spend\n${day}\n${model}`);
}

export function toSpend({ body }: StoredRecord): DaySpend {
  return readSpend(body);
}
