import { inGroup } from '../../verbs/in-group.ts';
import { analyzeQuality, explainQuality } from '../../verbs/quality/explain-quality.ts';
import { evaluateQuality, rateMemory } from '../../verbs/quality/rate-memory.ts';

export const VERBS = inGroup('Quality', { rateMemory, explainQuality, evaluateQuality, analyzeQuality });
