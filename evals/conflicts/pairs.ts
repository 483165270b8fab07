export interface LabelledPair {
  a: string;
  b: string;
  contradict: boolean;
}

const yes = (a: string, b: string): LabelledPair => ({ a, b, contradict: true });
const no = (a: string, b: string): LabelledPair => ({ a, b, contradict: false });

/** What agents and people write down, in pairs: those that cannot both hold, and those that sound alike and can. */
export const TUNING: readonly LabelledPair[] = [
  yes('The staging server listens on port 8080', 'The staging server listens on port 9090'),
  yes('We deploy on Fridays', 'We never deploy on Fridays'),
  yes('Never deploy on Fridays', 'We deploy on Fridays'),
  yes('The default branch is main', 'The default branch is master'),
  yes('We use PostgreSQL for the ledger', 'We use SQLite for the ledger'),
  yes("Ada's favourite editor is vim", "Ada's favourite editor is Emacs"),
  yes('Timeout: 30s', 'Timeout: 60s'),
  yes('The cache is enabled', 'The cache is disabled'),
  yes('Grace lives in Berlin', 'Grace lives in Paris'),
  yes('The stand-up is on Monday', 'The stand-up is on Tuesday'),
  yes('The API does not support XML', 'The API supports XML'),
  yes('Ada likes tea', 'Ada does not like tea'),
  yes('The session token expires after 24h', 'The session token expires after 8h'),
  yes('The rate limit is 100 requests per minute', 'The rate limit is 250 requests per minute'),
  yes('The primary database runs in eu-west-1', 'The primary database runs in us-east-1'),
  yes('The maintainer of billing is Ada', 'The maintainer of billing is Grace'),
  yes('The minimum Node version is 20.1', 'The minimum Node version is 22.3'),
  yes('Indent with tabs', 'Indent with spaces'),
  yes('The build takes 40 minutes', 'The build takes 12 minutes'),
  yes('The user prefers dark mode in the editor', 'The user prefers light mode in the editor'),
  yes('Migrations run automatically', 'Migrations do not run automatically'),
  yes('The licence costs $20', 'The licence costs $35'),
  yes('We store invoices in S3', 'We store invoices in Azure'),
  yes('The feature flag is on', 'The feature flag is off'),
  yes('Our main language is Go', 'Our main language is Rust'),
  no('The staging port is 8080', 'The production port is 8080'),
  no('We use PostgreSQL', 'We use Redis'),
  no('The server is fast', 'The server is red'),
  no('The API supports JSON', 'The API supports XML'),
  no('The release was on Monday', 'The release was on Tuesday'),
  no('Tests run in CI', 'Tests run in 40 seconds'),
  no('Ada likes tea', 'Ada likes coffee'),
  no('The default branch is main', 'The default branch is main.'),
  no('It is 8080', 'It is 9090'),
  no('If the cache is full, the limit is 10', 'The limit is 20 otherwise'),
  no('Is the timeout 30s?', 'The timeout is 60s'),
  no('We had 3 servers', 'We have 5 servers'),
  no('Grace works on Monday', 'Grace works on Tuesday'),
  no('The parser returns null for empty input', 'The parser returns an array of tokens'),
  no('The team has 3 backend engineers', 'The team has 2 designers'),
  no('We keep logs for audits', 'We keep backups for audits'),
  no('The report contains 3 tables', 'The report contains 5 charts'),
  no('The shop needs a licence', 'The shop needs a manager'),
  no('The login test is flaky', 'The login test is important'),
  no('The meeting with Ada is on Monday', 'The meeting with Grace is on Tuesday'),
  no('Use pnpm in the web project', 'Use npm in the docs project'),
  no('We deploy on Fridays', 'We deploy with Terraform'),
  no('The default port is 8080', 'The default theme is dark'),
  no('Until March the limit was 10', 'The limit is 20'),
  no('The queue holds 10 items per worker', 'The queue holds messages for a day'),
];
