import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

test('what an agent stores belongs to the repository it works in, which the answer shows, unless it says otherwise or that is off', async (context) => {
  const home = mkdtempSync(join(tmpdir(), 'ltm-stdio-project-'));
  context.after(() => rmSync(home, { recursive: true, force: true }));
  const cwd = join(home, 'shop-api', 'src');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(join(home, 'shop-api', '.git'));
  const store = async (args: Record<string, unknown>, env: Record<string, string> = {}): Promise<Answer> => {
    const client = new Client({ name: 'project', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', '--db', join(home, 'memory.db')],
        env: { ...PLAIN_ENV, HOME: home, ...env },
        cwd,
        stderr: 'ignore',
      }),
    );
    try {
      return ((await client.callTool({ name: 'memory_store', arguments: args })) as Answer).structuredContent;
    } finally {
      await client.close();
    }
  };
  assert.equal((await store({ content: 'Sessions live in Redis' })).project, 'shop-api');
  assert.equal((await store({ content: 'Pages are cached', project: 'blog' })).project, 'blog');
  assert.equal((await store({ content: 'Invoices are PDF files' }, { LTM_PROJECT: 'billing' })).project, 'billing');
  assert.equal((await store({ content: 'Deploys are on Thursday' }, { LTM_PROJECT: 'off' })).project, undefined);
});
