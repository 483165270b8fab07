import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../model/json.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { describeEvent } from './derive-observation.ts';
import type { Description } from './description.ts';

function use(
  name: string,
  input: JsonObject,
  output = '',
  more: { failed?: true; server?: string } = {},
): SessionEvent {
  const where = { agent: 'claude-code', session: 's', project: 'shop', directory: '/work/shop' };
  return { key: 'k', event: 'tool', at: 1, ...where, tool: { name, input, output, ...more } };
}

function bash(command: string, output = '', more: { failed?: true } = {}): SessionEvent {
  return use('Bash', { command }, output, more);
}

/** Events one after the other, each described with those before it. */
function follow(...events: SessionEvent[]): Description[] {
  const described: Description[] = [];
  for (const event of events) described.push(describeEvent(event, described));
  return described;
}

const NODE_FAILED = `✔ stores a memory (12.1ms)
✖ refuses an expired token (3.2ms)
ℹ tests 45
ℹ suites 2
ℹ pass 43
ℹ fail 2
✖ failing tests:
test at src/auth.test.ts:12:1
✖ refuses an expired token (3.2ms)
  AssertionError [ERR_ASSERTION]: expected 401, got 200
✖ keeps the session (1ms)`;
const NODE_PASSED = 'ℹ tests 45\nℹ pass 45\nℹ fail 0';

describe('a command is described by its outcome', () => {
  const failing: readonly (readonly [string, string, string, string])[] = [
    ['npm test', NODE_FAILED, '2 of 45 failed: "refuses an expired token", "keeps the session"', 'node:test'],
    [
      'npx jest --ci 2>&1 | tail -40',
      'FAIL src/cart.test.js\n  ● cart › adds an item\n\n    expect(received).toBe(expected)\n\nTests:       1 failed, 1 skipped, 7 passed, 9 total',
      '1 of 8 failed: "cart › adds an item"',
      'jest',
    ],
    [
      'pnpm vitest run',
      ' FAIL  src/cart.test.ts > cart > adds an item\nAssertionError: expected 1 to be 2\n Test Files  1 failed (1)\n      Tests  1 failed | 7 passed (8)',
      '1 of 8 failed: "cart > adds an item" — AssertionError: expected 1 to be 2',
      'vitest',
    ],
    [
      'cd api && python -m pytest -q',
      'E   ValueError: bad date\nFAILED tests/test_a.py::test_date - ValueError: bad date\n2 failed, 10 passed in 0.52s',
      '2 of 12 failed: "tests/test_a.py::test_date" — ValueError: bad date',
      'pytest',
    ],
    [
      'go test ./...',
      '--- FAIL: TestStore (0.00s)\n    store_test.go:9: got 1\nFAIL\nFAIL\tshop/store\t0.1s\nok  \tshop/cart\t0.2s',
      '1 of 2 failed: "TestStore"',
      'go test',
    ],
    [
      'cargo test',
      'test store::keeps ... FAILED\ntest result: FAILED. 3 passed; 1 failed; 0 ignored',
      '1 of 4 failed: "store::keeps"',
      'cargo test',
    ],
    [
      'mocha',
      '  7 passing (20ms)\n  1 failing\n\n  1) cart adds an item:\n     AssertionError: no',
      '1 of 8 failed: "cart adds an item" — AssertionError: no',
      'mocha',
    ],
    [
      'tsc --noEmit',
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/b.ts(1,1): error TS2304: Cannot find name 'x'.",
      '2 errors, first: src/a.ts(3,5): error TS2322',
      'tsc',
    ],
    [
      'cargo build',
      'error[E0308]: mismatched types\n --> src/main.rs:3:5',
      'failed: error[E0308]: mismatched types',
      'cargo build',
    ],
    [
      'node run.js',
      'node:internal/x\nTypeError: x is not a function\n    at run.js:3',
      'failed: TypeError: x is not a function',
      'node',
    ],
    [
      'python job.py',
      'Traceback (most recent call last):\n  File "job.py", line 1\nKeyError: \'a\'\nDuring handling\nValueError: bad',
      'failed: ValueError: bad',
      'python',
    ],
    [
      'psql -f a.sql',
      'Exit code: 3\nERROR: relation "x" does not exist',
      'failed (exit 3): ERROR: relation "x" does not exist',
      'psql',
    ],
  ];
  for (const [command, output, outcome, concept] of failing)
    test(`${command} that fails`, () => {
      const { summary, failed, type, concepts } = describeEvent(bash(command, output));
      assert.ok(summary.includes(outcome), summary);
      assert.deepEqual([failed, type, concepts[0]], [true, 'discovery', concept]);
    });

  const passing: readonly (readonly [string, string, string, string])[] = [
    ['npm test', NODE_PASSED, 'npm test: all 45 tests passed', 'note'],
    ['cd api && pytest -q 2>&1 | tail -3', '12 passed, 1 warning in 0.52s', 'pytest -q: all 12 tests passed', 'note'],
    ['npm run build', 'built in 2s', 'npm run build: passed', 'note'],
    ['npm install zod hono@4 -D', 'added 2 packages', 'Installed zod, hono@4 (npm)', 'change'],
    [
      `git add -A && git commit -m "$(cat <<'EOF'\nFix the cart's rounding\n\nWhy: cents\nEOF\n)"`,
      "[main 1a2b3c4d5] Fix the cart's rounding\n 1 file changed",
      'Committed "Fix the cart\'s rounding" (1a2b3c4d)',
      'bugfix',
    ],
    ['git commit -am "feat: add carts"', '', 'Committed "feat: add carts"', 'feature'],
    ['docker compose up -d', 'Started', 'Ran docker compose up -d', 'note'],
    ['cat src/errors.ts', 'TypeError: this is code\nError: more', 'Ran cat src/errors.ts', 'discovery'],
    ['git log -3', 'Error: fix it', 'Ran git log -3', 'discovery'],
  ];
  for (const [command, output, summary, type] of passing)
    test(`${command.split('\n')[0]} that passes`, () => {
      const described = describeEvent(bash(command, output));
      assert.deepEqual([described.summary, described.type, described.failed], [summary, type, false]);
    });

  test('takes commands of Codex, Gemini and OpenCode alike', () => {
    for (const event of [
      use('shell', { command: ['bash', '-lc', 'npm test'] }, NODE_PASSED),
      use('exec_command', { cmd: 'npm test' }, `Exit code: 0\nWall time: 1.2 seconds\nOutput:\n${NODE_PASSED}`),
      use(
        'run_shell_command',
        { command: 'npm test', description: 'Run tests' },
        `Output: ${NODE_PASSED}\nExit Code: 0`,
      ),
      use('bash', { command: 'npm test', description: 'Run tests' }, NODE_PASSED),
    ])
      assert.equal(describeEvent(event).summary, 'npm test: all 45 tests passed', event.tool!.name);
  });

  test('colours and very long lines change nothing', () => {
    const coloured = `\u001b[31mTypeError: x is undefined\u001b[0m\n${'y'.repeat(100_000)}`;
    assert.equal(describeEvent(bash('node a.js', coloured)).summary, 'node a.js: failed: TypeError: x is undefined');
  });
});

describe('what failed and passes again is a bugfix', () => {
  const edit = use('Edit', { file_path: '/work/shop/src/auth.ts', old_string: 'a > b', new_string: 'a >= b' });

  test('says which edit fixed which test', () => {
    const [, , fixed] = follow(bash('npm test 2>&1 | tail -30', NODE_FAILED), edit, bash('npm test', NODE_PASSED));
    assert.equal(fixed!.type, 'bugfix');
    assert.equal(
      fixed!.summary,
      'Fixed by editing src/auth.ts: "refuses an expired token", "keeps the session" (AssertionError [ERR_ASSERTION]: expected 401, got 200); npm test passes again',
    );
    assert.match(fixed!.title, /^Fixed "refuses an expired token".* in auth\.ts$/);
    assert.deepEqual(fixed!.files, ['src/auth.ts']);
  });

  test('also where the whole suite passes after a part of it failed', () => {
    const [, , fixed] = follow(bash('npm test -- auth', NODE_FAILED), edit, bash('npm test', NODE_PASSED));
    assert.equal(fixed!.type, 'bugfix');
  });

  test('says what was installed where nothing was edited', () => {
    const [, , fixed] = follow(
      bash('node a.js', "Error: Cannot find module 'zod'"),
      bash('npm i zod', 'added 1 package'),
      bash('node a.js', 'ok'),
    );
    assert.equal(fixed!.summary, "Fixed by `npm i zod`: Error: Cannot find module 'zod'; node a.js passes again");
  });

  test('is none where nothing was changed, where it never failed, or where it is told already', () => {
    const flaky = follow(bash('npm test', NODE_FAILED), bash('npm test', NODE_PASSED));
    assert.deepEqual([flaky[1]!.type, /without a change/.test(flaky[1]!.summary)], ['discovery', true]);
    assert.equal(follow(edit, bash('npm test', NODE_PASSED))[1]!.type, 'note');
    const twice = follow(
      bash('npm test', NODE_FAILED),
      edit,
      bash('npm test', NODE_PASSED),
      edit,
      bash('npm test', NODE_PASSED),
    );
    assert.equal(twice[4]!.type, 'note');
    assert.equal(follow(bash('npm test', NODE_FAILED), edit, bash('npm run lint', 'ok'))[2]!.type, 'note');
  });

  test('an edit that did not apply mends nothing', () => {
    const failed = use('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'not found', { failed: true });
    assert.equal(follow(bash('npm test', NODE_FAILED), failed, bash('npm test', NODE_PASSED))[2]!.type, 'discovery');
  });
});
