import { nodeTests, pytest, type Story } from './story.ts';

/** Never tuned on: other parts, other ways of saying it, other languages. */
export const HELD_OUT_STORIES: readonly Story[] = [
  {
    part: 'thumbnails',
    file: 'services/images/resize.go',
    asked: 'Product pictures load slowly, make thumbnails.',
    replies: [
      'Thumbnails are made on upload. After comparing both we settled on WebP; AVIF encoding took four seconds a picture.',
      'Lambda functions were a dead end: the libraries exceed the size limit. What remains to be done: old pictures need a backfill. Then we should delete the originals after 90 days.',
    ],
    resume: [/backfill/],
    probes: [
      { prompt: 'In which format are the small pictures stored?', needs: [/WebP/], sort: 'decided' },
      { prompt: 'Could a serverless function resize the images?', needs: [/size limit|dead end/], sort: 'failed' },
      { prompt: 'Do pictures from last year have thumbnails?', needs: [/backfill/], sort: 'open' },
    ],
  },
  {
    part: 'webhooks',
    file: 'api/webhooks/sign.ts',
    asked: 'A partner says our webhook signatures do not verify.',
    bug: {
      command: 'npx vitest run webhooks',
      fails:
        ' FAIL  api/webhooks/sign.test.ts > signs the raw body\nAssertionError: expected "ab12" to be "cd34"\n      Tests  1 failed | 14 passed (15)',
      passes: '      Tests  15 passed (15)',
      fix: ['  mac.update(JSON.stringify(body));', '  mac.update(rawBody);'],
    },
    replies: ['The signature was computed over the parsed body. It uses the raw bytes now.'],
    probes: [
      {
        prompt: 'Another partner cannot verify the signature of our callbacks. What did we change back then?',
        needs: [/sign\.ts/],
        sort: 'fixed',
      },
    ],
  },
  {
    part: 'audit log',
    file: 'src/audit/write.rs',
    asked: 'Every change by an admin must be logged.',
    bug: {
      command: 'cargo test',
      fails: 'test audit::keeps_order ... FAILED\ntest result: FAILED. 20 passed; 1 failed; 0 ignored',
      passes: 'test result: ok. 21 passed; 0 failed; 0 ignored',
      fix: ['    rows.sort_by_key(|r| r.id);', '    rows.sort_by_key(|r| (r.at, r.id));'],
    },
    replies: [
      'Append-only table it is: going with triggers in the database, not with middleware, so that scripts are covered too.',
      'Follow-up: retention is not decided, legal has to answer first.',
    ],
    probes: [
      { prompt: 'How are manual SQL scripts covered by the audit trail?', needs: [/triggers/], sort: 'decided' },
      { prompt: 'How long do we keep audit entries?', needs: [/[Rr]etention|legal/], sort: 'open' },
      {
        prompt: 'Entries of the audit trail were out of order once, where was that fixed?',
        needs: [/write\.rs/],
        sort: 'fixed',
      },
    ],
  },
  {
    part: 'calendar',
    file: 'apps/calendar/recur.py',
    asked: 'Le rendez-vous du lundi disparaît au changement d’heure.',
    bug: {
      command: 'python -m pytest apps/calendar',
      fails: pytest(30, ['apps/calendar/test_recur.py::test_dst'], 'AssertionError: 09:00 != 10:00'),
      passes: pytest(31, []),
      fix: ['    return start + timedelta(days=7)', '    return localize(start.naive + timedelta(days=7))'],
    },
    replies: [
      "Corrigé. On a choisi de stocker l'heure locale avec le fuseau plutôt que l'UTC.",
      "La bibliothèque rrule n'a pas suffi pour les exceptions. Prochaine étape : importer les jours fériés.",
    ],
    resume: [/jours fériés/],
    probes: [
      { prompt: 'Est-ce que les rendez-vous sont enregistrés en UTC ?', needs: [/heure locale/], sort: 'decided' },
      { prompt: 'Peut-on utiliser rrule pour les exceptions ?', needs: [/n'a pas suffi/], sort: 'failed' },
    ],
  },
  {
    part: 'feature flags',
    file: 'packages/flags/index.ts',
    asked: 'We want to switch features per customer.',
    replies: [
      'I compared three services and a table of our own. Decision: flags live in a table of ours, evaluated at the edge; a vendor would see customer ids.',
      'Evaluating in the browser leaks names of unreleased features, so that was reverted. Pending: an admin page to change flags.',
    ],
    resume: [/admin page/],
    probes: [
      { prompt: 'Why do we not use a vendor for toggles?', needs: [/customer ids|table of ours/], sort: 'decided' },
      { prompt: 'Can the frontend decide itself which features are on?', needs: [/leaks|reverted/], sort: 'failed' },
      { prompt: 'How does support switch a feature for one customer?', needs: [/admin page/], sort: 'open' },
    ],
  },
  {
    part: 'queue of jobs',
    file: 'worker/lease.ts',
    asked: 'ジョブが二重に実行されることがある。原因を調べて。',
    bug: {
      command: 'npm test',
      fails: nodeTests(17, ['takes a lease once'], 'AssertionError [ERR_ASSERTION]: expected 1, got 2'),
      passes: nodeTests(18, []),
      fix: ['  const lease = await read(id);', '  const lease = await compareAndSet(id, null, me);'],
    },
    replies: [
      'リースはcompare-and-setで取ることにしました。Redisのロックはうまくいかなかった。次はリースの期限を監視する。',
    ],
    resume: [/期限を監視/],
    probes: [
      { prompt: '二重実行はどのファイルで直した？', needs: [/lease\.ts/], sort: 'fixed' },
      { prompt: 'ジョブのロックにRedisを使える？', needs: [/うまくいかな/], sort: 'failed' },
    ],
  },
  {
    part: 'code style',
    file: 'pyproject.toml',
    asked: 'Configure ruff for the backend.',
    remembered: '#remember I prefer small pull requests: one topic each, and tests in the same commit.',
    replies: ['Ruff runs in CI and as a pre-commit hook.'],
    probes: [
      {
        prompt: 'I have changed the parser and the docs, how shall I hand it in?',
        needs: [/small pull requests/],
        sort: 'rule',
      },
    ],
  },
  {
    part: 'reports',
    file: 'reports/query.sql',
    asked: 'The monthly report takes ten minutes.',
    replies: [
      'A partial index on open invoices brings it to eight seconds. A materialised view would not work here: finance wants live numbers.',
      'Not done yet: the same for the yearly report. I would continue with the export to Excel next.',
    ],
    resume: [/Excel/],
    probes: [
      { prompt: 'Why is there no materialised view behind the report?', needs: [/live numbers/], sort: 'failed' },
      { prompt: 'Is the yearly report fast as well?', needs: [/yearly/], sort: 'open' },
    ],
  },
];
