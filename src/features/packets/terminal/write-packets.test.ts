import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { main } from '../../../cli/main.ts';
import { openLocalSession } from '../../../server/local-session.ts';
import { DECLARED_SETTINGS } from '../../settings.ts';
import type { Packet } from '../packet.ts';
import { findProject } from './find-project.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-save-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** `ltm` at a terminal, where somebody types these answers when asked, in an editor that puts one text in the place of another. */
async function atTerminal(
  words: string[],
  edits: Readonly<Record<string, string>>,
  ...answers: string[]
): Promise<{ code: number; out: string; err: string }> {
  const editor = join(folder, 'editor.mjs');
  writeFileSync(
    editor,
    `import { readFileSync, writeFileSync } from 'node:fs';
    const file = process.argv.at(-1);
    let text = readFileSync(file, 'utf8');
    for (const [from, to] of Object.entries(${JSON.stringify(edits)})) text = text.replace(from, () => to);
    writeFileSync(file, text);`,
  );
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
  const [out, err] = [text(stdout), text(stderr)];
  stderr.on('data', (chunk) => {
    if (String(chunk).includes('[y/N]')) stdin.write(`${answers.shift() ?? 'n'}\n`);
  });
  const env = {
    HOME: folder,
    LTM_DB: join(folder, 'memory.db'),
    LTM_CONFIG: join(folder, 'c.json'),
    EDITOR: `"${process.execPath}" "${editor}"`,
    NO_COLOR: '1',
  };
  const code = await main(words, env, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

const fill = (step = 'Typed step') => ({
  '"goal": ""': '"goal": "Typed goal"',
  '"next_step": ""': `"next_step": "${step}"`,
});

describe('ltm save without a file', () => {
  test('opens a draft, shows it, and sends it after a yes', async () => {
    const { code, out, err } = await atTerminal(['save'], fill(), 'y');
    assert.equal(code, 0, err);
    assert.match(out, /^[0-9A-HJKMNP-TV-Z]{26}\n$/);
    assert.match(err, /Typed goal[\s\S]*Save this packet in the database of this machine\?/);
    const packet = JSON.parse((await atTerminal(['pull', out.trim()], {})).out) as Packet;
    assert.deepEqual([packet.goal, packet.next_step, packet.parent_id], ['Typed goal', 'Typed step', undefined]);
    const next = JSON.parse(
      (await atTerminal(['pull', (await atTerminal(['save'], fill(), 'yes')).out.trim()], {})).out,
    ) as Packet;
    assert.deepEqual(
      [next.parent_id, next.goal],
      [packet.id, 'Typed goal'],
      'goes on from the last one of the project',
    );
  });

  test('sends nothing after a no, and keeps the draft', async () => {
    const { code, out, err } = await atTerminal(['save'], fill(), 'n');
    const [, file] = /draft is in (\S+);/.exec(err) ?? [];
    assert.deepEqual([code, out], [4, '']);
    assert.match(readFileSync(file!, 'utf8'), /Typed step/);
    rmSync(file!);
  });

  test('lets faults be corrected, and never sends a secret that nobody allowed', async () => {
    const faulty = await atTerminal(['save'], { '"tags": []': '"tags": ["Upper"]' }, 'n');
    assert.match(faulty.err, /\/tags\/0[\s\S]*Edit it again\?/);
    const secret = await atTerminal(['save'], fill('Read /home/ada/keys'), 'y');
    assert.equal(secret.code, 1);
    assert.match(secret.err, /next_step\/abs-path[\s\S]*redaction failed[\s\S]*draft is in/);
    for (const [, file] of `${faulty.err}${secret.err}`.matchAll(/draft is in (\S+);/g)) rmSync(file!);
  });

  test('drafts what the latest session of the project decided, tried and left open, once', async () => {
    const { name: project } = await findProject();
    const event = { agent: 'codex', session: 's1', project, directory: null };
    const sources = {
      declared: DECLARED_SETTINGS,
      flags: { db: join(folder, 'memory.db') },
      env: {},
      file: join(folder, 'c.json'),
    };
    const { engine, caller } = await openLocalSession(sources, 'cli');
    const at = Date.now();
    await engine.recordEvents(caller, [
      { ...event, key: 'k1', event: 'prompt', at, text: 'Make the export faster' },
      { ...event, key: 'k2', event: 'turn', at, text: 'We decided to stream the rows because memory ran out.' },
    ]);
    await engine.close();
    const { out } = await atTerminal(['save'], { '"next_step": ""': '"next_step": "Go on"' }, 'y');
    const packet = JSON.parse((await atTerminal(['pull', out.trim()], {})).out) as Packet;
    assert.deepEqual(packet.decisions, [{ what: 'We decided to stream the rows', why: 'memory ran out.' }]);
    assert.equal(packet.provenance?.author_model, 'codex');
    const again = await atTerminal(['save'], fill('Later'), 'y');
    const next = JSON.parse((await atTerminal(['pull', again.out.trim()], {})).out) as Packet;
    assert.equal(next.decisions, undefined, 'what a packet holds already is not drafted again');
  });
});
