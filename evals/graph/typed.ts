export interface TypedPair {
  /** In the order in which they were written. */
  older: string;
  newer: string;
  /** The type, and where it begins; null: nothing but that they are related, if that. */
  type: string | null;
  from?: 'older' | 'newer';
}

const says = (type: string, from: 'older' | 'newer', older: string, newer: string): TypedPair => ({
  older,
  newer,
  type,
  from,
});
const nothing = (older: string, newer: string): TypedPair => ({ older, newer, type: null });

/** Notes of which one says how it has to do with the other, and such as have words in common and say nothing of it. Written for this purpose. */
export const TYPED: readonly TypedPair[] = [
  says(
    'fixes',
    'newer',
    'The login fails with ECONNRESET under load',
    'Raising the pool to 40 fixed ECONNRESET in the login',
  ),
  says(
    'fixes',
    'newer',
    'Bug: the password reset mail is sent twice',
    'An idempotency key fixes the duplicate password reset mails',
  ),
  says('fixes', 'newer', '#812: the export hangs on large invoices', 'Closed #812 by streaming the rows'),
  says(
    'causes',
    'older',
    'The connection pool in src/pool.ts holds 10 connections',
    'ECONNRESET in the login was caused by the small connection pool in src/pool.ts',
  ),
  says(
    'causes',
    'older',
    'The queue retries mails after a timeout',
    'Duplicate mails are due to the queue that retries mails after a timeout',
  ),
  says('supersedes', 'newer', 'The ledger runs on MySQL', 'The ledger runs on PostgreSQL instead of MySQL'),
  says('supersedes', 'newer', 'We release from the develop branch', 'We no longer release from the develop branch'),
  says(
    'supersedes',
    'newer',
    'ADR-7: sessions live in Redis',
    'ADR-12 supersedes ADR-7: sessions live in signed cookies',
  ),
  says(
    'follows',
    'newer',
    'SHOP-41: split the invoice service',
    'SHOP-55 is the follow-up to SHOP-41: move its tables',
  ),
  says(
    'derived-from',
    'newer',
    'Load test of the invoice export: 400 rows per second',
    'Capacity plan, based on the load test of the invoice export',
  ),
  says(
    'supports',
    'newer',
    'Rounding per line is what the tax office wants',
    'The auditor confirmed rounding per line, as the tax office wants',
  ),
  says('contradicts', 'newer', 'The staging server listens on port 8080', 'The staging server listens on port 9090'),
  nothing('The login page is blue', 'The login page has a new logo'),
  nothing('The export hangs on large invoices', 'Fixed the colour of the export button'),
  nothing('Redis keeps the sessions of the web shop', 'We use Redis instead of Memcached for the cache of prices'),
  nothing('Invoices are rounded per line', 'Invoices are sent as PDF because of the tax office'),
  nothing('The build takes 40 minutes', 'The build of the docs follows the style guide'),
  nothing('The mail queue retries three times', 'Fixed a typo in the mail footer'),
  nothing('Grace leads the billing team', 'Grace confirmed the date of the offsite'),
  nothing('Deploys on Friday failed twice in May', 'Deploys need two reviews'),
];
