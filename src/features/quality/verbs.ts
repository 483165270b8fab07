import { inGroup } from '../../verbs/in-group.ts';
import { analyzeQuality, explainQuality } from './verbs/explain-quality.ts';
import { evaluateQuality, rateMemory } from './verbs/rate-memory.ts';

export const VERBS = inGroup('Quality', { rateMemory, explainQuality, evaluateQuality, analyzeQuality });
