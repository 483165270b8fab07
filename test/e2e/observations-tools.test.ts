import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { type McpProcess, startMcpProcess } from './mcp-process.ts';
import { type ObservationServer, startObservationServer } from './observation-server.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

let folder: string;
let server: ObservationServer;
let mcp: McpProcess;
/** Of the session `work`, in order. */
const work: number[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-mem-'));
  mcp = await startMcpProcess({ LTM_TOOLS: 'observations', LTM_PROJECT: 'off' });
  server = await startObservationServer(folder, ['--db', mcp.db]);
  await server.post('/prompt', { session_id: 'work', project: 'web', text: 'Make the gazebo lantern dimmable' });
  for (let n = 1; n <= 25; n++)
    work.push(
      await server.observe({
        session_id: 'work',
        tool_name: 'Edit',
        tool_input: { file_path: `src/lantern-${n}.ts`, note: 'x'.repeat(300) },
        tool_output: `lantern ${n} ${'dimmed '.repeat(200)}`,
      }),
    );
  await server.observe({ session_id: 'other', project: 'api', tool_input: { command: 'npm run lantern' } });
});
after(async () => {
  await server.stop();
  await mcp.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Listed {
  id: number;
  date: string;
  tool: string;
  summary: string;
  files: string[];
  project: string;
}

const results = async (args: Record<string, unknown>) => (await mcp.call('mem_search', args)).results as Listed[];

test('M1: four tools with the names and arguments that clients know, and mem_forget', async () => {
  const { tools } = await mcp.client.listTools();
  const shown = tools.map(({ name, inputSchema }) => [
    name,
    Object.keys(inputSchema.properties ?? {}),
    inputSchema.required ?? [],
  ]);
  assert.deepEqual(shown, [
    ['mem_search', ['query', 'project', 'limit'], ['query']],
    ['mem_timeline', ['observation_id', 'before', 'after'], ['observation_id']],
    ['mem_get', ['ids'], ['ids']],
    ['mem_export', ['project', 'days', 'format', 'include_raw'], []],
    ['mem_forget', ['ids'], ['ids']],
  ]);
});

test('M2: initialize says name, version and tools, and notifications get no answer', async (t) => {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--db', mcp.db], {
    env: { ...PLAIN_ENV, HOME: folder, LTM_TOOLS: 'observations' },
  });
  t.after(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  const { result } = JSON.parse((await lines.next()).value as string);
  assert.ok(result.serverInfo.name && result.serverInfo.version && result.capabilities.tools);
  assert.equal(result.protocolVersion, '2024-11-05');
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'ping' });
  assert.equal(JSON.parse((await lines.next()).value as string).id, 2);
});

test('M3: hits are listed below a line that names the project, or says that all were searched', async () => {
  for (const project of ['web', undefined]) {
    const found = await results({ query: 'lantern', project, limit: 3 });
    const text = await mcp.text('mem_search', { query: 'lantern', project, limit: 3 });
    const head = `Found 3 memories (${project === undefined ? 'all projects' : `project: ${project}`}):`;
    const lines = found.map(({ id, date, tool, files, summary }) => {
      const named = files.length === 0 ? '' : ` | ${files.join(', ')}`;
      return `[ID:${id}] ${date} | ${tool}${named}\n  ${summary}`;
    });
    assert.equal(text, [head, ...lines].join('\n\n'));
    assert.ok(found.every(({ summary }) => summary !== '' && summary.length <= 120));
  }
});

test('M4: 5 hits where nothing or 0 is said, at most 20, at least 1', async () => {
  for (const [limit, count] of [
    [undefined, 5],
    [0, 5],
    [50, 20],
    [-3, 1],
    ['7', 7],
  ] as const)
    assert.equal((await results({ query: 'lantern', limit })).length, count, String(limit));
});

test('M5: a fixed sentence where nothing matches', async () => {
  assert.equal(await mcp.text('mem_search', { query: 'qwertzuiop asdfghjkl' }), 'No matching memories found.');
  assert.equal(await mcp.text('mem_search', { query: '  ' }), 'No matching memories found.');
});

test('M6: only the named project, or all of them', async () => {
  assert.deepEqual(
    (await results({ query: 'lantern', project: 'api', limit: 20 })).map(({ project }) => project),
    ['api'],
  );
  const all = new Set((await results({ query: 'npm run lantern', limit: 20 })).map(({ project }) => project));
  assert.deepEqual([...all].sort(), ['api', 'web']);
});

test('the current project stands in the first line of an answer', async (t) => {
  const placed = await startMcpProcess({ LTM_TOOLS: 'observations', LTM_PROJECT: 'garden' });
  t.after(() => placed.close());
  const other = await startObservationServer(mkdtempSync(join(folder, 'x-')), ['--db', placed.db]);
  t.after(() => other.stop());
  await other.observe({ tool_input: { command: 'water the lantern' } });
  const [first] = (await placed.text('mem_search', { query: 'lantern' })).split('\n');
  assert.equal(first, 'Found 1 memories (all projects; current project: garden):');
});

test('M7: what happened before and after in the same session, oldest first', async () => {
  const [a, b, c, d, e] = work.slice(4, 9) as [number, number, number, number, number];
  const around = await mcp.call('mem_timeline', { observation_id: c, before: 2, after: 2 });
  const line = ({ id, date, tool, summary }: Listed) => `  [${id}] ${date} | ${tool}: ${summary}`;
  assert.deepEqual(
    [around.before, around.after].map((list: Listed[]) => list.map(({ id }) => id)),
    [
      [a, b],
      [d, e],
    ],
  );
  const { target } = around;
  const expected = [
    '**Before:**',
    ...around.before.map(line),
    '',
    `**Target [${c}]:** Edit — ${target.summary}`,
    `Files: ${target.files.join(', ')}`,
    '',
    '**After:**',
    ...around.after.map(line),
  ];
  assert.equal(await mcp.text('mem_timeline', { observation_id: c, before: 2, after: 2 }), expected.join('\n'));
});

test('M8: 3 on each side where nothing is said, at most 10, and 0 is none', async () => {
  const count = async (args: object) => {
    const { before: earlier, after: later } = await mcp.call('mem_timeline', { observation_id: work[12], ...args });
    return [earlier.length, later.length];
  };
  assert.deepEqual(await count({}), [3, 3]);
  assert.deepEqual(await count({ before: 50, after: 50 }), [10, 10]);
  assert.deepEqual(await count({ before: 0, after: 0 }), [0, 0]);
  assert.deepEqual(await count({ before: -1, after: '2' }), [0, 2]);
});

test('M9: a bad id is told in a sentence, an unknown one has no timeline', async () => {
  for (const observation_id of [-1, 0, 'abc', 1.5])
    assert.equal(
      await mcp.text('mem_timeline', { observation_id }),
      'Invalid observation_id: must be a positive number.',
    );
  assert.equal(await mcp.text('mem_timeline', { observation_id: 987654 }), 'No timeline data found.');
});

test('M10: details of each, by number, cut at 200 and 500 characters, parted by a line', async () => {
  const [first, second] = [work[1]!, work[0]!];
  const { observations } = await mcp.call('mem_get', { ids: [first, second, first] });
  assert.deepEqual(
    observations.map(({ id }: Listed) => id),
    [second, first],
  );
  const block = (one: Listed & { at: string; concepts: string[]; input: string; output: string }) =>
    [
      `**[${one.id}] ${one.tool}** — ${one.at.slice(0, 16).replace('T', ' ')}`,
      `Summary: ${one.summary}`,
      `Files: ${one.files.join(', ')}`,
      ...(one.concepts.length === 0 ? [] : [`Concepts: ${one.concepts.join(', ')}`]),
      `Input: ${one.input.slice(0, 200)}`,
      `Output: ${one.output.slice(0, 500)}`,
    ].join('\n');
  assert.equal(await mcp.text('mem_get', { ids: [first, second] }), observations.map(block).join('\n\n---\n\n'));
});

test('M11: too many, none, invalid and unknown ids are told in sentences', async () => {
  const ask = (ids: unknown) => mcp.text('mem_get', { ids });
  assert.equal(await ask(Array.from({ length: 21 }, (_, i) => i + 1)), 'Too many IDs: max 20 allowed.');
  assert.equal(await ask([]), 'No IDs provided.');
  assert.equal(await ask(['x', -1, 0]), 'No valid IDs provided.');
  assert.equal(await ask([987654]), 'No observations found for those IDs.');
});

test('M12: an export as JSON is six lines of numbers', async () => {
  const lines = (await mcp.text('mem_export', { project: 'web' })).split('\n');
  assert.deepEqual(
    [lines[0], lines[1]!.slice(0, 10), ...lines.slice(2, 5)],
    ['**LongMem Export**', 'Exported: ', 'Sessions: 1', 'Observations: 26', 'User observations: 0'],
  );
  assert.match(lines[5]!, /^Concepts: \d+$/);
  assert.equal(lines.length, 6);
});

test('M13: an export as Markdown has its parts, and is cut at 8000 characters', async () => {
  const text = await mcp.text('mem_export', { format: 'markdown', include_raw: true });
  assert.match(
    text,
    /^Exported memory:\n\n# Memory export: all projects\n\n\*\*Exported:\*\* .*\n\*\*Sessions:\*\* 2\n/,
  );
  assert.match(text, /\n---\n[\s\S]*\n## Session: [\s\S]*\*\*Date:\*\* [\s\S]*\*\*Prompt:\*\* [\s\S]*\n### /);
  assert.match(text, /\n\n\.\.\. \(truncated\)$/);
  assert.ok(text.length > 8000 && text.length < 8100, String(text.length));
});

test('M14: days are from 1 to 365', async () => {
  for (const days of [0, 366, -1, 'x', 1.5])
    assert.equal(await mcp.text('mem_export', { days }), 'Invalid days: must be between 1 and 365.', String(days));
  assert.match(await mcp.text('mem_export', { days: 1 }), /Observations: 27/);
});

test('what is forgotten is found, listed and exported no more, and says so', async () => {
  const number = await server.observe({ session_id: 'work', tool_input: { command: 'echo quixotic' } });
  assert.equal((await results({ query: 'quixotic' }))[0]?.id, number);
  assert.equal(await mcp.text('mem_forget', { ids: [number, 987654] }), 'Forgot 1 observation. Not found: 987654.');
  assert.equal(await mcp.text('mem_get', { ids: [number] }), 'No observations found for those IDs.');
  assert.ok((await results({ query: 'quixotic', limit: 20 })).every(({ id }) => id !== number));
});
