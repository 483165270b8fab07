import assert from 'node:assert/strict';
import type { Engine } from '../../src/engine/engine.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { callerOf, recordingLog } from './stub-engine.ts';

const tools = await createTools();

export type Structured = Record<string, unknown> & {
  error?: { code: string; message: string; hint: string; details: Record<string, unknown> };
};

export async function call(
  name: string,
  args: Record<string, unknown>,
  engine: Engine,
  caller = callerOf(),
  log = recordingLog(),
) {
  const result = await callTool(tools.find(name)!, args, { open: async () => ({ engine, caller }), log });
  const block = result.content[0];
  assert.equal(result.content.length, 1);
  assert.ok(block?.type === 'text');
  return { isError: result.isError === true, text: block.text, structured: result.structuredContent as Structured };
}

/** What an engine was given, without what nobody asked for. */
export function asGiven(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input));
}

/** Every value of the structured answer is in the text as well. */
export function assertSameInBoth(text: string, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) assertSameInBoth(text, item);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) assertSameInBoth(text, item);
  else if (typeof value === 'string')
    for (const line of value.split('\n'))
      assert.ok(text.includes(line) || text.includes(JSON.stringify(line).slice(1, -1)), `${line} is not in the text`);
  else assert.ok(text.includes(String(value)), `${String(value)} is not in the text`);
}
