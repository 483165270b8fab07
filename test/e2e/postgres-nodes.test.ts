import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { runKillNodes } from './kill-nodes.ts';

const found = findPostgres();

/** The long form is scripts/kill-postgres.ts. */
test('three nodes on PostgreSQL lose nothing and go on while connections are cut, the server restarts and a node dies', {
  skip: 'missing' in found ? found.missing : false,
}, async () => {
  const postgres = await startPrivatePostgres();
  try {
    const report = await runKillNodes(postgres, { nodes: 3, writers: 3, kills: 12, restarts: 1, afterMs: 200 });
    const { lost, writtenTwice, staleSearches, processExits, eventsMissed } = report;
    assert.deepEqual(
      { lost, writtenTwice, staleSearches, processExits, eventsMissed },
      { lost: 0, writtenTwice: 0, staleSearches: 0, processExits: [], eventsMissed: 0 },
    );
    assert.deepEqual(
      [report.backendsKilled >= 12, report.readyAfterRestartMs.length],
      [true, 1],
      JSON.stringify(report),
    );
  } finally {
    await postgres.stop();
  }
});
