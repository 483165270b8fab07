import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeKey } from './event-key.ts';
import { readPayload } from './read-payload.ts';

describe('who an event comes from', () => {
  it('is what the hook was set up for', () => {
    const fields = { hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'Bash', tool_use_id: 'u' };
    assert.equal(readPayload(fields, ['--agent', 'codex'])!.agent, 'codex');
  });

  it('is the editor where that runs the hooks of another agent, so that its own hook tells the same event', () => {
    const cursor = {
      hook_event_name: 'postToolUse',
      conversation_id: 'c',
      session_id: 'c',
      cursor_version: '3.7',
      tool_name: 'Shell',
      tool_use_id: 'u',
    };
    const own = readPayload(cursor, ['--agent', 'cursor'])!;
    const other = readPayload({ ...cursor, hook_event_name: 'PostToolUse' }, ['--agent', 'claude-code'])!;
    assert.equal(other.agent, 'cursor');
    assert.equal(makeKey(other, []), makeKey(own, []));
    const code = { hookEventName: 'PostToolUse', sessionId: 'v', tool_name: 'editFiles', tool_use_id: 'u' };
    assert.deepEqual(
      ['claude-code', 'copilot'].map((name) => readPayload(code, ['--agent', name])!.agent),
      ['vscode', 'vscode'],
    );
  });
});
