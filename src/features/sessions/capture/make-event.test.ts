import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SessionEvent } from '../../../model/session-event.ts';
import { readCustomPatterns } from '../../../privacy/custom-patterns.ts';
import { type CaptureRules, DENIED_OUTPUT, makeEvent } from './make-event.ts';
import { readPayload } from './read-payload.ts';

const made = mkdtempSync(join(tmpdir(), 'ltm-capture-'));
after(() => rmSync(made, { recursive: true, force: true }));
const shop = join(made, 'shop');
mkdirSync(join(shop, '.git'), { recursive: true });
writeFileSync(join(shop, 'package.json'), '{"name":"@acme/shop"}');
writeFileSync(join(shop, '.env'), 'A=1');
symlinkSync('.env', join(shop, 'harmless.txt'));

const RULES: CaptureRules = { excludeTools: [], excludePaths: [], excludeProjects: [], patterns: [] };

function make(fields: Record<string, unknown>, rules: Partial<CaptureRules> = {}, words: string[] = []) {
  const payload = readPayload({ session_id: 's1', cwd: shop, ...fields }, words);
  assert.ok(payload !== null, JSON.stringify(fields));
  return makeEvent(payload, { ...RULES, ...rules }, { variables: {}, now: 1_790_000_000_000 });
}

function event(fields: Record<string, unknown>, rules: Partial<CaptureRules> = {}, words: string[] = []): SessionEvent {
  const made = make(fields, rules, words);
  assert.ok(typeof made === 'object', String(made));
  return made;
}

test('what each agent says of a tool becomes the same event', () => {
  const said = { session: 's1', project: '@acme/shop', directory: shop, event: 'tool' };
  const bash = { name: 'Bash', input: { command: 'ls' }, output: 'a.ts\nb.ts' };
  const cases: [agent: string, fields: Record<string, unknown>, words: string[], name: string][] = [
    [
      'claude-code',
      {
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: { stdout: 'a.ts\nb.ts', stderr: '', interrupted: false, isImage: false },
      },
      [],
      'Bash',
    ],
    [
      'codex',
      {
        hook_event_name: 'PostToolUse',
        turn_id: 't1',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: {
          content: [
            { type: 'text', text: 'a.ts' },
            { type: 'text', text: 'b.ts' },
          ],
        },
      },
      [],
      'Bash',
    ],
    [
      'gemini',
      {
        hook_event_name: 'AfterTool',
        timestamp: '2026-10-01T10:00:00.000Z',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: { llmContent: '<untrusted_context>a.ts\nb.ts</untrusted_context>', returnDisplay: 'x' },
      },
      [],
      'Bash',
    ],
    [
      'opencode',
      {
        hook_event_name: 'tool.execute.after',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: { content: [{ type: 'text', text: 'a.ts\nb.ts' }] },
      },
      ['--agent', 'opencode'],
      'Bash',
    ],
    [
      'cursor',
      {
        hook_event_name: 'postToolUse',
        session_id: undefined,
        conversation_id: 's1',
        cursor_version: '2',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_output: '{"output":"a.ts\\nb.ts","exitCode":0}',
      },
      [],
      'Bash',
    ],
    [
      'vscode',
      {
        hookEventName: 'PostToolUse',
        session_id: undefined,
        sessionId: 's1',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: 'a.ts\nb.ts',
      },
      [],
      'Bash',
    ],
    [
      'copilot',
      {
        session_id: undefined,
        sessionId: 's1',
        timestamp: 1_790_000_000_001,
        toolName: 'Bash',
        toolArgs: '{"command":"ls"}',
        toolResult: { resultType: 'success', textResultForLlm: 'a.ts\nb.ts' },
      },
      ['copilot', 'postToolUse'],
      'Bash',
    ],
  ];
  for (const [agent, fields, words] of cases) {
    const { key, at, ...rest } = event(fields, {}, words);
    assert.deepEqual(rest, { ...said, agent, tool: bash }, agent);
    assert.ok(key.startsWith(`${agent}:s1:tool:`) && at > 0);
  }
});

test('structured results are text, images a word, edits their lines, and nothing is [object Object]', () => {
  const output = (tool_response: unknown): string =>
    event({ hook_event_name: 'PostToolUse', tool_name: 'X', tool_input: {}, tool_response }).tool!.output;
  assert.equal(output({ type: 'text', file: { filePath: '/a', content: 'one\ntwo', numLines: 2 } }), 'one\ntwo');
  assert.equal(
    output([
      { type: 'image', data: 'AAAA' },
      { type: 'text', text: 'seen' },
    ]),
    '[image]\nseen',
  );
  assert.equal(output({ stdout: '', stderr: 'no such file', interrupted: false }), 'stderr: no such file');
  assert.equal(output({ stdout: 'out', stderr: 'warn' }), 'out\nwarn');
  const patch = {
    filePath: '/a.ts',
    originalFile: 'old',
    structuredPatch: [{ oldStart: 1, newStart: 1, lines: ['-a', '+b'] }],
  };
  assert.equal(output(patch), '/a.ts\n@@ -1 +1 @@\n-a\n+b');
  assert.equal(output({ rows: [{ id: 1, name: 'x' }], ok: true }), 'rows:\nid: 1\nname: x\nok: true');
  assert.equal(output({ llmContent: [{ text: 'a' }, { inlineData: { data: 'x' } }] }), 'a\n[image]');
  assert.equal(output(null), '');
  assert.equal(
    event({ hook_event_name: 'PostToolUseFailure', tool_name: 'X', tool_input: {}, error_message: 'boom' }).tool!
      .failed,
    true,
  );
  assert.equal(
    event({
      hook_event_name: 'PostToolUse',
      tool_name: 'X',
      tool_input: {},
      tool_response: { exit_code: 2, output: '' },
    }).tool!.failed,
    true,
  );
});

test('own tools, lists of tools and excluded ones are never captured', () => {
  const tool = (tool_name: string, more: Record<string, unknown> = {}, rules: Partial<CaptureRules> = {}) =>
    make({ hook_event_name: 'PostToolUse', tool_name, tool_input: {}, tool_response: 'x', ...more }, rules);
  for (const name of [
    'mcp__ltm__memory_search',
    'mcp_ltm_memory_search',
    'ltm_memory_store',
    'memory_search',
    'mem_export',
    'mem_forget',

    'mcp__longmem__mem_search',
    'mcp__plugin_ltm_ltm__memory_store',
    'mcp__my-notes__memory_store',
    'ToolSearch',
    'TodoWrite',
  ])
    assert.equal(tool(name), 'own-tool', name);
  assert.equal(tool('search', { mcp_server: { name: 'ltm', source: 'user' } }), 'own-tool');
  assert.equal(tool('search', { mcp_context: { server_name: 'ltm' } }), 'own-tool');
  for (const name of ['Bash', 'mcp__github__search', 'algorithm', 'member_search', 'mcp__filterms__x'])
    assert.equal(typeof tool(name), 'object', name);
  assert.equal(tool('mcp__jira__get', {}, { excludeTools: ['mcp__jira__*'] }), 'excluded-tool');
});

test('excluded projects are left out by name or folder, unless a prompt asks to be remembered', () => {
  const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'hello' };
  for (const excludeProjects of [['@acme/*'], [shop], [`${made}/`], [made]])
    assert.equal(make(prompt, { excludeProjects }), 'excluded-project', String(excludeProjects));
  assert.equal(typeof make(prompt, { excludeProjects: ['shop', '/elsewhere'] }), 'object');
  const remembered = event({ ...prompt, prompt: 'We ship on Fridays #remember' }, { excludeProjects: ['@acme/*'] });
  assert.equal(remembered.reason, 'remember');
});

test('a prompt with #skip is left out, and one that is private from first to last', () => {
  const prompt = (text: string) => make({ hook_event_name: 'UserPromptSubmit', prompt: text });
  assert.equal(prompt('Look at this #skip'), 'skip');
  assert.equal(typeof prompt('an#skip or a #skipper'), 'object');
  assert.equal(prompt('<private>all of it</private>'), 'private');
  assert.equal(prompt('<private>never closed'), 'private');
});

test('injected context and wrappers do not come back', () => {
  const { text } = event({
    hook_event_name: 'BeforeAgent',
    prompt: '<hook_context>&lt;ltm-context&gt; x</hook_context>Fix it<ltm-context>y',
  });
  assert.equal(text, 'Fix it');
});

test('of a denied path only the path is kept, through a link too', () => {
  for (const [tool_input, path] of [
    [{ command: 'head -n 5 .env' }, '.env'],
    [{ file_path: join(shop, 'harmless.txt') }, join(shop, 'harmless.txt')],
    [{ command: 'cat harmless.txt' }, 'harmless.txt'],
  ] as const) {
    const { tool, screened } = event({
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_input,
      tool_response: 'A=secret-thing',
    });
    assert.deepEqual(tool, { name: 'Read', input: { path }, output: DENIED_OUTPUT });
    assert.deepEqual(screened, ['denied-path']);
  }
});

test('the same event has the same key, other events have others', () => {
  const key = (fields: Record<string, unknown>): string => event(fields).key;
  const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'continue' };
  assert.equal(key({ ...prompt, prompt_id: 'p1' }), key({ ...prompt, prompt_id: 'p1' }));
  assert.notEqual(key({ ...prompt, prompt_id: 'p1' }), key({ ...prompt, prompt_id: 'p2' }));
  assert.notEqual(key({ ...prompt, prompt_id: 'p1' }), key({ ...prompt, prompt_id: 'p1', session_id: 's2' }));
  const transcript_path = join(made, 'transcript.jsonl');
  writeFileSync(transcript_path, 'x');
  const first = key({ ...prompt, transcript_path });
  assert.equal(key({ ...prompt, transcript_path }), first);
  writeFileSync(transcript_path, 'x and more');
  assert.notEqual(key({ ...prompt, transcript_path }), first);
  const tool = { hook_event_name: 'PostToolUse', tool_name: 'X', tool_input: { a: 1 }, tool_use_id: 'toolu_1' };
  assert.equal(key({ ...tool, tool_response: 'a' }), key({ ...tool, tool_response: 'b' }));
});

test('patterns of the person apply to prompts', () => {
  const { patterns } = readCustomPatterns([{ pattern: 'ACME-\\d{4}', name: 'ticket' }]);
  const { text, screened } = event({ hook_event_name: 'UserPromptSubmit', prompt: 'Do ACME-1234' }, { patterns });
  assert.deepEqual([text, screened], ['Do [redacted:ticket]', ['ticket']]);
});

test('events that are none of ours are left alone', () => {
  for (const hook_event_name of [
    'PreToolUse',
    'BeforeTool',
    'Notification',
    'SubagentStop',
    '',
    '__proto__',
    'constructor',
  ])
    assert.equal(readPayload({ hook_event_name, session_id: 's' }), null, hook_event_name);
});

test('a secret that an agent gives as an id is not written down, and events stay apart', () => {
  const token = () => ['gh', 'p_', randomBytes(18).toString('hex')].join('');
  const [session, use] = [token(), token()];
  const tool = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {}, tool_response: 'a' };
  const first = event({ ...tool, session_id: session, tool_use_id: use });
  assert.equal(first.session, '[redacted:gh-token]');
  assert.deepEqual(first.screened, ['gh-token']);
  const others = [
    event({ ...tool, session_id: session, tool_use_id: token() }),
    event({ ...tool, session_id: token(), tool_use_id: use }),
  ];
  assert.equal(new Set([first, ...others].map(({ key }) => key)).size, 3);
  for (const secret of [session, use]) assert.ok(!JSON.stringify([first, ...others]).includes(secret));
  assert.equal(event({ ...tool, session_id: session, tool_use_id: use }).key, first.key);
});
