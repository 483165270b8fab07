// The raw material of the developer set: things a project remembers, each with words for saying it and other words for asking about it.

/** A part of a system: how notes call it, and how someone who asks describes it. */
export interface Part {
  noted: string;
  asked: string;
  file: string;
}

export const PARTS: readonly Part[] = [
  { noted: 'billing service', asked: 'the thing that charges customers', file: 'src/billing/charge-card.ts' },
  { noted: 'login flow', asked: 'signing in', file: 'src/auth/session-cookie.ts' },
  { noted: 'image thumbnailer', asked: 'the code that shrinks pictures', file: 'workers/thumbs/resize.go' },
  { noted: 'search indexer', asked: 'the job that makes documents findable', file: 'indexer/build_postings.rs' },
  { noted: 'mail sender', asked: 'outgoing e-mail', file: 'lib/mailer/smtp_pool.py' },
  { noted: 'report exporter', asked: 'producing spreadsheets for download', file: 'app/reports/csv_writer.rb' },
  { noted: 'mobile sync', asked: 'keeping phones up to date', file: 'sync/merge_changes.kt' },
  { noted: 'rate limiter', asked: 'the guard against too many calls', file: 'gateway/token_bucket.go' },
  { noted: 'websocket gateway', asked: 'pushing live updates to browsers', file: 'realtime/hub.ts' },
  { noted: 'migration runner', asked: 'changing the table layout on release', file: 'db/migrate/apply-changes.ts' },
  { noted: 'feature flag store', asked: 'switching functions on and off for some people', file: 'flags/evaluate.ts' },
  { noted: 'audit log', asked: 'the trail of who did what', file: 'audit/append_only.rs' },
];

/** A kind of fact: sentences that state it and sentences that ask for it, which share as few words as can be. `{p}` is the part. */
export interface FactKind {
  cat: string;
  choices: readonly { said: readonly string[]; asked: readonly string[] }[];
}

export const FACT_KINDS: readonly FactKind[] = [
  {
    cat: 'decision',
    choices: [
      {
        said: [
          'For the {p} we go with Redis streams rather than Kafka: one less cluster to babysit.',
          'Decision: {p} uses Redis streams. Kafka was too heavy to operate for four people.',
        ],
        asked: [
          'Which message broker did we pick for {a}?',
          'What carries events for {a}, and why not the bigger system?',
        ],
      },
      {
        said: [
          'The {p} talks gRPC internally; JSON over HTTP doubled our latency.',
          'We moved the {p} from REST to gRPC because payload parsing dominated the profile.',
        ],
        asked: ['What wire protocol is used by {a}?', 'How do other components communicate with {a}?'],
      },
      {
        said: [
          '{p} state lives in Postgres only. Mongo was dropped after the March outage.',
          'After losing writes in March we retired Mongo; {p} keeps everything in Postgres.',
        ],
        asked: ['Where is the data of {a} persisted nowadays?', 'What database stands behind {a}?'],
      },
      {
        said: [
          'Agreed with Priya: the {p} gets rewritten in Rust next quarter, the Python version is frozen.',
          'Priya and I froze the Python {p}; the successor will be Rust.',
        ],
        asked: [
          'What language will the new version of {a} be written in?',
          'Is anyone still developing the old implementation of {a}?',
        ],
      },
      {
        said: [
          'No retries inside the {p}: callers own the retry policy, otherwise we get storms.',
          '{p} must fail fast; repeating a call is the client’s job.',
        ],
        asked: ['Who is responsible for trying again when {a} breaks?', 'Should {a} repeat failed attempts by itself?'],
      },
    ],
  },
  {
    cat: 'error',
    choices: [
      {
        said: [
          '{p} crashed with ECONNRESET under load; keepAlive on the agent and a pool of 50 cured it.',
          'ECONNRESET in {f} went away once we reused sockets (keepAlive, maxSockets 50).',
        ],
        asked: ['How did we fix the dropped connections in {a}?', 'ECONNRESET {a} solution'],
      },
      {
        said: [
          'OOMKilled pods of the {p}: it buffered whole files. Streaming in 64 KB chunks keeps RSS at 120 MB.',
          'The {p} ran out of memory because it read everything at once; now it streams.',
        ],
        asked: ['Why did {a} eat all the RAM?', 'What stopped the container of {a} from being killed?'],
      },
      {
        said: [
          'Deadlock in {f}: two transactions took row locks in opposite order. Sorting ids before UPDATE solved it.',
          '{p} deadlocks are gone since we lock rows in ascending id order.',
        ],
        asked: [
          'Transactions were waiting for each other in {a}. What was the remedy?',
          'How do we avoid lock cycles in {a}?',
        ],
      },
      {
        said: [
          'The {p} showed times one hour off after DST: the container had no tzdata. Added the package to the image.',
          'Missing tzdata in the image shifted {p} timestamps by an hour.',
        ],
        asked: ['Why were the clock values wrong in {a}?', 'What caused the sixty minute shift in {a}?'],
      },
      {
        said: [
          '`TypeError: Cannot read properties of undefined (reading "id")` in {f} means the tenant header is absent.',
          'An undefined id in the {p} is always a request without X-Tenant.',
        ],
        asked: [
          'What does it mean when {a} complains about reading id of undefined?',
          'Which missing piece of a request breaks {a}?',
        ],
      },
      {
        said: [
          'Flaky {p} test: it raced with the background flush. Await `drain()` before asserting.',
          'The {p} suite failed one run in ten until it waited for drain().',
        ],
        asked: ['Why did the checks of {a} pass only sometimes?', 'How was the unreliable test for {a} made stable?'],
      },
    ],
  },
  {
    cat: 'convention',
    choices: [
      {
        said: [
          'Every public function in the {p} returns a Result; exceptions are for bugs only.',
          'House rule for {p}: no throwing across module borders, return Result.',
        ],
        asked: ['How should failures be reported in {a}?', 'May I raise errors from {a}?'],
      },
      {
        said: [
          'Branches for the {p} are named `area/ticket-slug`, squash on merge.',
          'On the {p} repo we squash; branch names look like area/ticket-slug.',
        ],
        asked: ['What do we call a git branch when working on {a}?', 'How are commits combined in {a}?'],
      },
      {
        said: ['Money in the {p} is integer cents, never floats.', '{p}: amounts are stored as whole cents.'],
        asked: ['What numeric representation do prices have in {a}?', 'Can I use decimals for sums in {a}?'],
      },
      {
        said: [
          'Log lines of the {p} carry trace_id and nothing personal: no mail addresses, no names.',
          'Never print user data from {p}; only the trace_id.',
        ],
        asked: ['What may be written to the logs by {a}?', 'Privacy rule for output of {a}?'],
      },
      {
        said: [
          'Pull requests against {p} need a benchmark when they touch {f}.',
          'Changes of {f} are not merged without numbers from the bench.',
        ],
        asked: [
          'What must I attach when I modify the hot path of {a}?',
          'Is a performance measurement required before merging into {a}?',
        ],
      },
    ],
  },
  {
    cat: 'config',
    choices: [
      {
        said: [
          '{p} listens on 9473 in staging and 443 behind the balancer in production.',
          'Staging port of the {p}: 9473.',
        ],
        asked: ['At which address number do I reach {a} in the test environment?', 'staging port {a}'],
      },
      {
        said: [
          'Set `MAX_INFLIGHT=32` for the {p}; above that the disk queue explodes.',
          'The {p} copes with 32 requests at once, hence MAX_INFLIGHT=32.',
        ],
        asked: ['How much concurrency can {a} take?', 'What limit should I configure for parallel work in {a}?'],
      },
      {
        said: [
          'Secrets of the {p} come from Vault at kv/prod, rotated on the first of the month.',
          '{p} credentials are in Vault and change monthly.',
        ],
        asked: ['Where do passwords for {a} come from?', 'How often are the keys of {a} renewed?'],
      },
      {
        said: [
          'Nightly backup of the {p} runs 02:30 UTC to the fra1 bucket, kept 14 days.',
          'We keep two weeks of {p} snapshots in fra1, taken at half past two.',
        ],
        asked: [
          'When is a copy of {a} made and how long do we hold it?',
          'Can I recover the state of {a} from ten days ago?',
        ],
      },
    ],
  },
  {
    cat: 'code',
    choices: [
      {
        said: [
          '`computeBackoff(attempt)` in {f} doubles from 200 ms and is capped at 30 s, with full jitter.',
          'Waiting time in the {p} grows exponentially, see computeBackoff in {f}.',
        ],
        asked: ['Which function decides how long {a} pauses between attempts?', 'computeBackoff cap'],
      },
      {
        said: [
          'The entry point of the {p} is `handleEnvelope` ({f}); validation happens there, nowhere else.',
          'In {f}, handleEnvelope checks all input of the {p}.',
        ],
        asked: ['Where is input verified in {a}?', 'handleEnvelope'],
      },
      {
        said: [
          '`parseCursor` in {f} accepts base64url only; plain base64 cursors broke on the plus sign.',
          '{p} cursors: base64url, because + got lost in URLs.',
        ],
        asked: ['What encoding do page markers use in {a}?', 'Why did pagination fail in {a}?'],
      },
      {
        said: [
          'snake_case columns map to camelCase in {f} through `toDomain()`; do not map by hand.',
          'Use toDomain() from {f} for column names of the {p}.',
        ],
        asked: ['How are field names translated between database and program in {a}?', 'toDomain'],
      },
    ],
  },
  {
    cat: 'preference',
    choices: [
      {
        said: [
          'Lena wants short answers with the command first when it is about the {p}.',
          'When Lena asks about {p}: command on top, explanation below.',
        ],
        asked: [
          'How does our colleague like replies concerning {a} to be laid out?',
          'What order should an explanation of {a} have for Lena?',
        ],
      },
      {
        said: [
          'I dislike mocks; test the {p} against the real database in a container.',
          'For {p} please no fakes, spin up the true database.',
        ],
        asked: ['What kind of tests do I prefer for {a}?', 'Should stand-ins be used when checking {a}?'],
      },
      {
        said: [
          'Tomás prefers tabs in the {p}, the rest of the repository uses two spaces.',
          'The {p} folder is indented with tabs on Tomás’ wish.',
        ],
        asked: ['What whitespace style applies inside {a}?', 'Whose taste decides the formatting of {a}?'],
      },
    ],
  },
  {
    cat: 'people',
    choices: [
      {
        said: ['Ask Yuki about the {p}; she wrote the first version and still reviews it.', 'Yuki owns {p}.'],
        asked: ['Who knows most about {a}?', 'Whom should I contact when {a} misbehaves?'],
      },
      {
        said: [
          'On-call for the {p} swaps on Wednesdays at ten, Omar has it this week.',
          '{p} pager: Omar until Wednesday.',
        ],
        asked: ['Who gets woken up at night for {a} now?', 'When does duty for {a} change hands?'],
      },
    ],
  },
];

export const CHATTER: readonly string[] = [
  'Stand-up moved to half past nine starting Monday.',
  'The coffee machine on the second floor is fixed.',
  'Reminder: time sheets are due on Friday.',
  'Renamed the repository; old links redirect.',
  'Node 24 is installed on all build agents now.',
  'The office will be closed on the 24th.',
  'New laptop images ship with zsh as the default shell.',
  'Quarterly planning starts next Tuesday, bring estimates.',
  'Switched the team calendar to Berlin time.',
  'Docs site builds in forty seconds since the cache change.',
  'The design review was short; only the empty state needs work.',
  'Lint now runs on changed files only.',
  'Marketing asked for screenshots of the new dashboard.',
  'We upgraded the linter and fixed eighty warnings.',
  'The intern starts on the first; desk near the window.',
];

/** Questions to which no memory is the answer. */
export const UNANSWERABLE: readonly string[] = [
  'What is the warranty period of the office chairs?',
  'Which airline did we book for the conference in Lisbon?',
  'How many litres does the fish tank hold?',
  'What is the name of the landlord’s dog?',
  'Who won the table tennis tournament?',
  'Which paint colour was chosen for the meeting room?',
  'What did the dentist recommend?',
  'How tall is the flagpole?',
  'Where do I park the rental van?',
  'What is the recipe for the lemon cake?',
];
