import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEarlierVariables } from './earlier-environment.ts';

test('variables of other systems are named with what they come to here, or that they have no counterpart', () => {
  const env = {
    MCP_MEMORY_STORAGE_BACKEND: 'sqlite_vec',
    MCP_CONSOLIDATION_ENABLED: 'true',
    LONGMEM_DRY_RUN: '1',
    MCP_HTTP_PORT: '8000',
    MCP_MEMORY_SQLITE_PATH: 'x.db',
    MCP_QUALITY_AI_PROVIDER: '',
    PATH: '/bin',
  };
  assert.deepEqual(findEarlierVariables(env), [
    { name: 'LONGMEM_DRY_RUN', counterpart: 'the same: hooks capture nothing and say nothing' },
    { name: 'MCP_CONSOLIDATION_ENABLED', counterpart: 'consolidation_schedule' },
    {
      name: 'MCP_MEMORY_STORAGE_BACKEND',
      counterpart: 'db: a file for SQLite, a postgres:// URL for PostgreSQL',
    },
  ]);
});
