import type { OAuthArtifact } from '../../../auth/ports.ts';
import { SCOPES } from '../../../model/caller.ts';
import type {
  AccessToken,
  AuditEntry,
  Invite,
  Membership,
  PublicLink,
  Removal,
  Team,
  User,
} from '../../../model/identity.ts';
import type { Row } from '../../../model/transfer.ts';
import { parseColumn } from '../record-row.ts';
import { type SqlDatabase, type SqlValue, type Steps, select, write } from '../statements.ts';

export interface IdentityTable<T> {
  name: string;
  columns: readonly string[];
  /** What a row holds, which may have other columns beside these. */
  read(row: Row): T;
  /** In the order of the columns. */
  values(kept: T): SqlValue[];
}

export const USERS = tableOf<User>('users', ['id', 'name', 'email', 'createdAt', 'suspendedAt']);
export const TEAMS = tableOf<Team>('teams', ['id', 'name', 'ownerId', 'createdAt']);
export const MEMBERSHIPS = tableOf<Membership>('memberships', ['teamId', 'userId', 'role', 'joinedAt']);
export const AUDIT = tableOf<AuditEntry>('audit', ['seq', 'at', 'actor', 'op', 'subject', 'teamId']);

const tokens = tableOf<AccessToken>(
  'access_tokens',
  [
    ...(['id', 'sha256', 'userId', 'name', 'scopes', 'teamId', 'agent', 'workspace'] as const),
    ...(['createdAt', 'lastUsedAt', 'revokedAt', 'expiresAt'] as const),
  ],
  'scopes',
);
export const TOKENS: typeof tokens = {
  ...tokens,
  read(row) {
    const token = tokens.read(row);
    return { ...token, scopes: SCOPES.filter((scope) => token.scopes.includes(scope)) };
  },
};

export const INVITES = tableOf<Invite>('invites', [
  ...(['id', 'sha256', 'teamId', 'role', 'createdBy', 'createdAt', 'expiresAt', 'consumedAt', 'consumedBy'] as const),
]);

export const ARTIFACTS = tableOf<OAuthArtifact>(
  'oauth_artifacts',
  ['model', 'id', 'grantId', 'userCode', 'uid', 'userId', 'expiresAt', 'consumedAt', 'payload'],
  'payload',
);

const links = tableOf<Omit<PublicLink, 'space'> & { spaceId: string }>('public_links', [
  ...(['sha256', 'spaceId', 'recordId', 'createdAt', 'userId'] as const),
]);
export const LINKS: IdentityTable<PublicLink> = {
  ...links,
  read(row) {
    const { spaceId: space, ...link } = links.read(row);
    return { ...link, space };
  },
  values: ({ space: spaceId, ...link }) => links.values({ ...link, spaceId }),
};

export const REMOVALS = tableOf<Removal & { emailSha256: string | null }>('removals', [
  ...(['id', 'what', 'removedAt', 'removedBy', 'purgeAskedAt', 'emptiedAt', 'doneAt', 'emailSha256'] as const),
]);

/** All of them, referenced tables before those that refer to them. What only one database has (marks of single changes) is not among the columns. */
export const IDENTITY_TABLES: readonly Pick<IdentityTable<never>, 'name' | 'columns'>[] = [
  USERS,
  { name: 'passwords', columns: ['user_id', 'hash'] },
  TEAMS,
  MEMBERSHIPS,
  TOKENS,
  INVITES,
  LINKS,
  AUDIT,
  REMOVALS,
  { name: 'server_secrets', columns: ['name', 'value'] },
  ARTIFACTS,
];

/** A column has the name of its field, in snake case; `json`: the field that is kept as JSON. */
function tableOf<T extends object>(
  name: string,
  fields: readonly (keyof T & string)[],
  json?: keyof T,
): IdentityTable<T> {
  const columns = fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return {
    name,
    columns,
    read(row) {
      const cells = columns.map((column) => row[column]);
      const cellOf = (i: number) => (fields[i] === json ? parseColumn(String(cells[i]), String(cells[0])) : cells[i]);
      return Object.fromEntries(fields.map((field, i) => [field, cellOf(i)])) as T;
    },
    values: (kept) => fields.map((field) => (field === json ? JSON.stringify(kept[field]) : kept[field]) as SqlValue),
  };
}

/** Returns 0 where one of that name is there already. */
export function addRow<T>({ name, columns, values }: IdentityTable<T>, kept: T): Steps<number> {
  const places = columns.map((_, i) => `$${i + 1}`).join(', ');
  return write(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`,
    ...values(kept),
  );
}

/** One statement at a time over the tables that belong to no space. */
export interface PlainSql {
  select<R>(sql: string, ...values: SqlValue[]): Promise<readonly R[]>;
  /** `which`: what follows the table's name. */
  all<T>(table: IdentityTable<T>, which: string, ...values: SqlValue[]): Promise<T[]>;
  one<T>(table: IdentityTable<T>, which: string, ...values: SqlValue[]): Promise<T | null>;
  /** Kept at once; returns how many rows changed. */
  change(sql: string, ...values: SqlValue[]): Promise<number>;
}

export function openPlainSql(database: SqlDatabase): PlainSql {
  const ask = <R>(sql: string, ...values: SqlValue[]) =>
    database.read('no_space', () => select<R>(sql, ...values), { isMostlyOne: true });
  async function all<T>({ name, columns, read }: IdentityTable<T>, which: string, ...values: SqlValue[]): Promise<T[]> {
    return (await ask<Row>(`SELECT ${columns.join(', ')} FROM ${name} ${which}`, ...values)).map(read);
  }
  return {
    select: ask,
    all,
    one: async (table, which, ...values) => (await all(table, which, ...values))[0] ?? null,
    change: (sql, ...values) =>
      database.write('no_space', () => write(sql, ...values), { frees: /^(?:DELETE|UPDATE removals) /.test(sql) }),
  };
}
