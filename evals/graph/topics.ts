/** Notes by topic: two of one topic are related, two of different topics are not. Topics that sound alike stand beside each other on purpose. */
export const TOPICS: readonly (readonly string[])[] = [
  [
    'The login fails with ECONNRESET under load',
    'Raised the connection pool in src/pool.ts to 40, the login errors under load are gone',
    'ECONNRESET in the login came from the pool running dry',
    'src/pool.ts opens a connection for every login',
  ],
  [
    'The password reset mail is sent twice',
    'Duplicate password reset mails: the queue retries after a timeout although the mail went out',
    'The mail queue needs an idempotency key for password reset mails',
  ],
  [
    'Grace Hopper leads the billing team',
    'Ask Grace Hopper before changing invoices',
    'Grace Hopper wants invoices to be immutable',
  ],
  [
    'Invoices are rounded per line, not per total',
    'Rounding of invoices per line is required by the tax office',
    'Fixed the invoice total: it was rounded per total instead of per line',
  ],
  [
    'We decided to use PostgreSQL for the ledger',
    'The ledger moved from MySQL to PostgreSQL in March',
    'PostgreSQL was chosen for the ledger because of serializable transactions',
  ],
  [
    'Redis keeps the sessions of the web shop',
    'Sessions of the web shop in Redis expire after a day',
    'The web shop loses sessions when Redis is restarted',
  ],
  [
    'The nightly backup runs at 02:00 from scripts/backup.sh',
    'scripts/backup.sh failed because the disk was full',
    'Restored the database from the nightly backup in twenty minutes',
  ],
  [
    'TypeScript 5.9 broke the build of the importer',
    'Pinned TypeScript to 5.8 because the importer did not build with 5.9',
    'The importer compiles with TypeScript 5.9 since the types of csv-parse were updated',
  ],
  [
    'Ada prefers tabs and hates trailing commas',
    'Formatter settings that Ada likes: tabs, no trailing commas',
    'Ada asked to turn off trailing commas in the formatter',
  ],
  [
    'The garden shed needs a new roof before winter',
    'Bought felt and nails for the roof of the shed',
    'The roof of the garden shed leaks near the window',
  ],
  [
    'Mara is allergic to peanuts',
    'No peanuts in the cake for Mara, she is allergic',
    'Mara carries an injector because of her peanut allergy',
  ],
  [
    'Flight to Lisbon on 12 May at 07:40',
    'Booked a hotel near the airport for the early flight to Lisbon',
    'Seats 12A and 12B on the flight to Lisbon',
  ],
  [
    'ABC-42: search ignores accents',
    'ABC-42 is fixed by folding accents in the tokenizer',
    'Tokenizer folds accents so that cafe finds café',
  ],
  [
    'The API returns 503 while the index is rebuilt',
    'Rebuilding the index blocks requests and causes HTTP 503',
    'Serve the old index while the new one is built, so that nobody sees 503',
  ],
  [
    'CI takes forty minutes because the browser tests run one after the other',
    'Browser tests in CI run in four shards now, twelve minutes',
    'The browser tests are the slowest part of CI',
  ],
  ['Deploys happen on Tuesdays', 'No deploys on Fridays', 'A deploy needs two approvals'],
  [
    'Learning Portuguese with flash cards every morning',
    'The verbs in Portuguese are hardest, especially the subjunctive',
    'Found a tutor for Portuguese on Wednesdays',
  ],
  [
    'parseRow() in src/csv.ts breaks on quoted newlines',
    'src/csv.ts: parseRow() reads quoted newlines since the state machine was rewritten',
    'Test added for quoted newlines in parseRow()',
  ],
  [
    'The heating in the office is set to 19 degrees',
    'Complaints about the cold in the office, the heating stays at 19 degrees',
    'The heating of the office switches off at six',
  ],
  [
    'Kubernetes pods restart because of the memory limit',
    'Raised the memory limit of the pods to 512 MB, no more restarts',
    'The leak behind the pod restarts was in the image resizer',
  ],
];
