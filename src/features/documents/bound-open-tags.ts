/// <reference path="./readers/parsers.d.ts" />
import type { Parser } from 'htmlparser2';

/** Browsers nest no deeper either. */
const MOST_OPEN = 512;

/**
 * Called at each tag that opens. The parser puts it before all others that are open and looks through these at each that closes: with a hundred thousand of them a
 * file would take minutes. The outermost are forgotten, and so never close.
 */
export function boundOpenTags({ stack, foreignContext }: Parser): void {
  for (const open of [stack, foreignContext]) if (open.length > 2 * MOST_OPEN) open.length = MOST_OPEN;
}
