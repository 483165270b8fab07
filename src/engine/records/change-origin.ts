import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { isLessTrusted, type RecordContent, type StoredRecord, TRUST_TIERS, type Trust } from '../../model/record.ts';
import { authorizePerson } from '../authorize.ts';
import { invalid } from './check-text.ts';
import { originOver } from './origin.ts';

export interface ChangedOrigin extends Pick<RecordContent, 'source' | 'trust'> {
  /** By a person, who may. */
  raisesTrust: boolean;
}

/**
 * Whose text a record holds after a change, and how far it is believed: whoever rewrites it stands for it from then on, and nothing they add makes it more
 * trusted. `said` is what the caller says of it in so many words: whoever may write can lower it, only a person can raise it.
 */
export function changeOrigin(
  record: StoredRecord,
  content: RecordContent,
  { caller, said }: { caller: Caller; said: Trust | undefined },
): ChangedOrigin {
  if (said !== undefined && !TRUST_TIERS.includes(said))
    throw invalid('trust', `must be one of ${TRUST_TIERS.join(', ')}`);
  const isRewritten = record.content !== content.content || record.contentHash !== content.contentHash;
  const isTouched =
    isRewritten || canonicalJson([record.title, record.body]) !== canonicalJson([content.title, content.body]);
  const { source, trust } = originOver(record, caller);
  const origin = { source: isRewritten ? source : record.source, trust: isTouched ? trust : record.trust };
  const raisesTrust = said !== undefined && isLessTrusted(origin.trust, said);
  if (raisesTrust) authorizePerson(caller, 'raise_trust', record.space);
  return { ...origin, ...(said !== undefined && { trust: said }), raisesTrust };
}
