import { kindsOf } from '../src/engine/engine.ts';
import type { Kind } from '../src/engine/records/kind.ts';
import { FEATURES } from '../src/features/features.ts';

/** All kinds of records that the program has. */
export const KIND_TABLE = kindsOf(FEATURES);
export const KINDS: readonly Kind[] = KIND_TABLE.names.map(KIND_TABLE.need);
