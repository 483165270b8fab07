import { nodeTests, pytest, type Story } from './story.ts';

/** The stories that rules and weights may be tuned on. */
export const TUNING_STORIES: readonly Story[] = [
  {
    part: 'mail worker',
    file: 'src/mail/worker.ts',
    asked: 'Build a worker that sends the order mails.',
    replies: [
      'The worker is there. We decided to use NATS instead of RabbitMQ, because the ops team runs it already.',
      'Sending in parallel did not work because the provider limits us to 5 connections.\n\n**Open:**\n- Bounced mails are not handled yet\n\nNext step: write the handler for bounces.',
    ],
    resume: [/handler for bounces/, /[Bb]ounced mails/],
    probes: [
      { prompt: 'Which broker does the service for order mails talk to?', needs: [/NATS/], sort: 'decided' },
      { prompt: 'Could we send several mails at once to be faster?', needs: [/5 connections/], sort: 'failed' },
      { prompt: 'What happens when a mail bounces?', needs: [/[Bb]ounce/], sort: 'open' },
    ],
  },
  {
    part: 'login',
    file: 'src/auth/session.ts',
    asked: 'Users are logged out after a few minutes. Find out why.',
    bug: {
      command: 'npm test',
      fails: nodeTests(41, ['keeps a session for a day'], 'AssertionError [ERR_ASSERTION]: expected 86400, got 300'),
      passes: nodeTests(42, []),
      fix: ['  const maxAge = 300;', '  const maxAge = 86400;'],
    },
    replies: ['Sessions were cut after 300 seconds. They last a day now.'],
    probes: [
      {
        prompt: 'People say they get logged out too early again. What was it last time?',
        needs: [/session\.ts/],
        sort: 'fixed',
      },
      { prompt: 'Where is the lifetime of a session set?', needs: [/session\.ts|86400/], sort: 'fixed' },
    ],
  },
  {
    part: 'prices',
    file: 'src/shop/money.ts',
    asked: 'Totals are off by a cent in some carts.',
    bug: {
      command: 'npm test -- money',
      fails: nodeTests(11, ['adds the tax of three items'], 'AssertionError [ERR_ASSERTION]: 10.01 !== 10.02'),
      passes: nodeTests(12, []),
      fix: ['  return a + b;', '  return addCents(a, b);'],
    },
    replies: [
      "Let's keep all amounts in cents as integers; floats are only for display. Next step: migrate the invoices table.",
    ],
    resume: [/invoices table/],
    probes: [
      { prompt: 'How do we represent amounts of money in code?', needs: [/cents/], sort: 'decided' },
      {
        prompt: 'The tax of carts with several items was wrong once. How was it solved?',
        needs: [/money\.ts/],
        sort: 'fixed',
      },
    ],
  },
  {
    part: 'search page',
    file: 'web/search.tsx',
    asked: 'The search page is slow with many results.',
    replies: [
      'I went with pagination by cursor rather than infinite scrolling. Virtual lists failed because screen readers lose their place.',
      'TODO: the empty state has no picture. Next step: measure it on a slow phone.',
    ],
    resume: [/slow phone/],
    probes: [
      { prompt: 'Why does the result list not scroll endlessly?', needs: [/cursor/], sort: 'decided' },
      { prompt: 'Should we virtualise the list of results?', needs: [/screen readers/], sort: 'failed' },
    ],
  },
  {
    part: 'import of bank files',
    file: 'jobs/import_bank.py',
    asked: 'The nightly import of bank statements crashes on some files.',
    bug: {
      command: 'pytest -q tests/test_import.py',
      fails: pytest(
        8,
        ['tests/test_import.py::test_latin1'],
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4",
      ),
      passes: pytest(9, []),
      fix: ["    text = data.decode('utf-8')", '    text = data.decode(detect(data))'],
    },
    replies: ['Some banks send Latin-1. The encoding is detected now. Still open: files larger than 2 GB.'],
    probes: [
      {
        prompt: 'A bank file with umlauts broke the job at night. Have we seen this?',
        needs: [/import_bank\.py/],
        sort: 'fixed',
      },
      { prompt: 'Is there a limit on the size of statements we can import?', needs: [/2 GB/], sort: 'open' },
    ],
  },
  {
    part: 'deployment',
    file: 'deploy/compose.yml',
    asked: 'Wir brauchen ein Staging-System. Richte es ein.',
    replies: [
      'Wir haben uns für Docker Compose auf einer kleinen Maschine entschieden, Kubernetes ist für drei Dienste zu viel.',
      'Ein gemeinsamer Port hat nicht funktioniert, weil der Proxy nur eine Domain kennt. Als nächstes: Backups für Staging einrichten.',
    ],
    resume: [/Backups für Staging/],
    probes: [
      { prompt: 'Läuft Staging auf Kubernetes?', needs: [/Docker Compose/], sort: 'decided' },
      { prompt: 'Warum hat Staging einen eigenen Port?', needs: [/Proxy/], sort: 'failed' },
    ],
  },
  {
    part: 'linting',
    file: 'biome.json',
    asked: 'Set up linting for the repository.',
    remembered: 'Always format with Biome before you commit, never with Prettier. #remember',
    replies: ['Biome is set up with the recommended rules.'],
    probes: [
      { prompt: 'I will add a new package to the repository. What about formatting?', needs: [/Biome/], sort: 'rule' },
    ],
  },
  {
    part: 'cache',
    file: 'src/cache/store.ts',
    asked: 'Add a cache in front of the product API.',
    bug: {
      command: 'npm run test:cache',
      fails: nodeTests(5, ['forgets entries after their time'], 'AssertionError [ERR_ASSERTION]: expected undefined'),
      passes: nodeTests(6, []),
      fix: ['    if (entry.until > now) return null;', '    if (entry.until <= now) return null;'],
    },
    replies: [
      'We chose an in-process LRU over Redis: one instance, and no network. Invalidating by tags turned out to be too slow on deploys.',
      'Next step: export the hit rate as a metric.',
    ],
    resume: [/hit rate/],
    probes: [
      { prompt: 'Do we need Redis for caching products?', needs: [/LRU/], sort: 'decided' },
      { prompt: 'Can we invalidate cached entries with tags?', needs: [/too slow/], sort: 'failed' },
      { prompt: 'Expired entries stayed around once. Which file was that?', needs: [/store\.ts/], sort: 'fixed' },
    ],
  },
];
