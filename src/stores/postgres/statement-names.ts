import { createHash } from 'node:crypto';

/** Listings make statements of many shapes; more than this many are not worth keeping on each connection. */
const MAX_NAMES = 200;
const DIGITS = 24;

export interface StatementNames {
  /** A name under which the server keeps the statement's plan, or nothing. */
  nameOf(sql: string): { name: string } | Record<string, never>;
  /** From now on no statement has a name. False when none had one before. */
  giveUp(): boolean;
}

/**
 * A name says what the statement is: behind a pooler that hands connections round, another process may have left a statement under the same name,
 * and running a different one with our values must not be possible.
 */
export function createStatementNames(prepares: boolean): StatementNames {
  const names = new Map<string, { name: string }>();
  let isOn = prepares;
  return {
    nameOf(sql) {
      if (!isOn) return {};
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= MAX_NAMES) return {};
      const named = { name: `ltm_${createHash('sha256').update(sql).digest('hex').slice(0, DIGITS)}` };
      names.set(sql, named);
      return named;
    },
    giveUp() {
      const wasOn = isOn;
      isOn = false;
      return wasOn;
    },
  };
}
