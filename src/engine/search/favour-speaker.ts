import { isOwnRole } from './name-speakers.ts';
import type { SearchPart } from './search-set.ts';

/** What the turns of the one person whom the question names get. */
const SPEAKER_BONUS = 2.7;
/** What the asker's own turns get: an assistant's answers repeat what was asked, and say it at greater length. */
const ASKER_BONUS = 4;

export function favourSpeaker(parts: readonly SearchPart[], speaker: string, scores: Float32Array): void {
  const bonus = isOwnRole(speaker) ? ASKER_BONUS : SPEAKER_BONUS;
  for (const { part, base } of parts) {
    const { docCount, docRecord, speaker: codes, labels } = part.columns;
    const code = labels.codeOf(speaker);
    if (code === 0) continue;
    for (let doc = 0; doc < docCount; doc++) {
      const at = base + doc;
      if (scores[at]! > 0 && codes[docRecord[doc]!] === code) scores[at] = scores[at]! + bonus;
    }
  }
}
