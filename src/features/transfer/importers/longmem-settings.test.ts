import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLongmemSettings, redactModeOf } from './longmem-settings.ts';

test('M27: safe and flexible replace secrets, none does not, and whatever is unknown is safe', () => {
  for (const [privacy, mode] of [
    [{ mode: 'safe' }, 'replace'],
    [{ mode: 'flexible' }, 'replace'],
    [{ mode: 'none' }, 'off'],
    [{ mode: 'loud' }, 'replace'],
    [{ redactSecrets: false }, 'off'],
    [{ redactSecrets: true }, 'replace'],
    [{ mode: 'safe', redactSecrets: false }, 'replace'],
    [{}, 'replace'],
  ] as const)
    assert.equal(redactModeOf(privacy), mode, JSON.stringify(privacy));
});

test('its settings become ours; what would replace fewer secrets, spend or take a port is only told', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-longmem-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'settings.json');
  assert.deepEqual(readLongmemSettings(file), { settings: {}, told: [] });
  const customPatterns = [{ pattern: 'ACME-\\d+', name: 'ticket' }];
  writeFileSync(
    file,
    JSON.stringify({
      privacy: { mode: 'none', excludeTools: ['Read'], excludePaths: ['*.tfstate'], customPatterns },
      autoContext: { enabled: true, maxEntries: 5, maxTokens: 400, timeoutMs: 200 },
      daemon: { port: 38741, authToken: 'secret-token' },
      compression: { enabled: true, apiKey: 'sk-secret' },
    }),
  );
  const { settings, told } = readLongmemSettings(file);
  assert.deepEqual(settings, {
    capture_exclude_tools: ['Read'],
    capture_exclude_paths: ['*.tfstate'],
    privacy_patterns: customPatterns,
    context_max_entries: 5,
    context_max_tokens: 400,
    context_timeout_ms: 200,
  });
  assert.equal(told.length, 4);
  assert.doesNotMatch(told.join(' '), /secret-token|sk-secret/);
  writeFileSync(file, '{broken');
  assert.match(readLongmemSettings(file).told[0]!, /is not JSON/);
});
