import type { Row, SidePart } from '../../model/transfer.ts';
import { ARTIFACT_COLUMNS, INVITE_COLUMNS, TEAM_COLUMNS, TOKEN_COLUMNS, USER_COLUMNS } from '../rows/identity-rows.ts';
import { ALL_RECORD_COLUMNS } from '../rows/record-columns.ts';
import { VERSION_COLUMNS } from '../rows/version-row.ts';
import type { SqlValue } from './statements.ts';

export interface TransferTable {
  name: string;
  /** Which of the columns names the record, or the place in the part's order. */
  by: string;
  /** All but `space_id`. */
  columns: readonly string[];
}

/** What is kept about a record; the first is the record itself, the others refer to it or to each other in this order. */
export const RECORD_TABLES: readonly TransferTable[] = [
  { name: 'records', by: 'id', columns: ALL_RECORD_COLUMNS.filter((column) => column !== 'space_id') },
  { name: 'record_tags', by: 'record_id', columns: ['record_id', 'tag'] },
  { name: 'record_versions', by: 'record_id', columns: ['record_id', ...VERSION_COLUMNS] },
  { name: 'passages', by: 'record_id', columns: ['record_id', 'ordinal', 'text'] },
  { name: 'vectors', by: 'record_id', columns: ['record_id', 'ordinal', 'embedder', 'scale', 'bytes'] },
];

export const RELATION_TABLE: TransferTable = {
  name: 'relations',
  by: 'from_id',
  columns: ['from_id', 'to_id', 'type', 'weight', 'created_at', 'body'],
};

/** The first is the one whose order counts; removing its rows removes those of the others. */
export const SIDE_TABLES: Readonly<Record<SidePart, readonly [TransferTable, ...TransferTable[]]>> = {
  graves: [{ name: 'graves', by: 'record_id', columns: ['record_id', 'generation', 'purged_at'] }],
  receipts: [
    { name: 'receipts', by: 'key', columns: ['key', 'fingerprint', 'created_at', 'answer'] },
    { name: 'receipt_records', by: 'key', columns: ['key', 'record_id'] },
  ],
  reads: [{ name: 'read_statistics', by: 'record_id', columns: ['record_id', 'reads', 'last_read_at'] }],
};

/** Referenced tables before those that refer to them. What only the target's database has (marks of single changes) is made anew. */
export const IDENTITY_TABLES: readonly TransferTable[] = [
  { name: 'users', by: 'id', columns: USER_COLUMNS.split(', ') },
  { name: 'passwords', by: 'user_id', columns: ['user_id', 'hash'] },
  { name: 'teams', by: 'id', columns: TEAM_COLUMNS.split(', ') },
  { name: 'memberships', by: 'team_id', columns: ['team_id', 'user_id', 'role', 'joined_at'] },
  {
    name: 'access_tokens',
    by: 'id',
    columns: TOKEN_COLUMNS.split(', '),
  },
  { name: 'invites', by: 'id', columns: INVITE_COLUMNS.split(', ') },
  { name: 'public_links', by: 'sha256', columns: ['sha256', 'space_id', 'record_id', 'created_at'] },
  { name: 'audit', by: 'seq', columns: ['seq', 'at', 'actor', 'op', 'subject', 'team_id'] },
  { name: 'server_secrets', by: 'name', columns: ['name', 'value'] },
  { name: 'oauth_artifacts', by: 'model', columns: ARTIFACT_COLUMNS.split(', ') },
];

/** Secrets that say what is being copied into the database: they stay where they are. */
export const OWN_SECRETS: readonly string[] = ['copied_from'];

export function valuesOf(row: Row, columns: readonly string[]): SqlValue[] {
  return columns.map((column) => row[column] ?? null);
}
