import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-timeline-'));
after(() => rmSync(home, { recursive: true, force: true }));
const shop = join(home, 'shop');
mkdirSync(join(shop, '.git'), { recursive: true });

function run(program: string, words: readonly string[], input = ''): string {
  const env = { ...PLAIN_ENV, HOME: home, TZ: 'UTC' };
  return execFileSync(process.execPath, [program, ...words], {
    cwd: shop,
    env,
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).toString();
}

const ltm = (...words: string[]): string => run(PROGRAM, words);
const hook = (event: object): string =>
  run(
    join(dirname(PROGRAM), 'ltm-hook.js'),
    ['--agent', 'claude-code'],
    JSON.stringify({ session_id: 's1', cwd: shop, ...event }),
  );

test('ltm timeline shows what was captured and stored by day and project, newest first, and narrows it', () => {
  hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Why is the export slow?' });
  hook({
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 't1',
    tool_input: { command: 'npm test' },
    tool_response: { stdout: 'ok' },
  });
  hook({ hook_event_name: 'Stop', last_assistant_message: 'We decided to stream the rows.' });
  ltm('store', 'Exports are streamed', '--project', 'docs');
  const lines = ltm('timeline').split('\n');
  assert.match(lines[0]!, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(
    lines.filter((line) => /^ {2}\S/.test(line)),
    ['  docs', '  shop'],
  );
  assert.match(
    lines.join('\n'),
    /memory .*Exports are streamed[\s\S]*reply .*We decided to stream the rows[\s\S]*prompt .*Why is the export slow/,
  );
  const { entries } = JSON.parse(ltm('timeline', '--project', 'shop', '--kinds', 'session', '--json')) as {
    entries: { kind: string }[];
  };
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['session'],
  );
});
