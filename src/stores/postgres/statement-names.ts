/** Listings make statements of many shapes; more than this many are not worth keeping on each connection. */
const MAX_NAMES = 200;

export interface StatementNames {
  /** A name under which the server keeps the statement's plan, or nothing. */
  nameOf(sql: string): { name: string } | Record<string, never>;
}

export function createStatementNames(prepares: boolean): StatementNames {
  const names = new Map<string, { name: string }>();
  return {
    nameOf(sql) {
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (!prepares || names.size >= MAX_NAMES) return {};
      const named = { name: `ltm_${names.size}` };
      names.set(sql, named);
      return named;
    },
  };
}
