// Serves MCP on its standard streams with a stub engine, for tests with real processes. Arguments: `slow` (a search never ends), `broken` (the engine opens at the second try), `telling` (says when it prepares).
import { serveMcpOverStdio } from '../../src/mcp/stdio.ts';
import { callerOf, healthOf, hitOf, resultOf, stubEngine } from './stub-engine.ts';

const [mode] = process.argv.slice(2);
let openings = 0;
/** The longest that a timer takes: a month. */
const NEVER_MS = 2 ** 31 - 1;

const engine = stubEngine({
  checkHealth: async () => healthOf(),
  search: async (caller, { query }) => {
    if (mode === 'slow' || query === 'never') await new Promise((resolve) => setTimeout(resolve, NEVER_MS));
    if (query === 'soon') await new Promise((resolve) => setTimeout(resolve, 50));
    return resultOf([hitOf({ title: `asked by ${caller.client}` })]);
  },
  close: async () => {
    process.stderr.write('engine closed\n');
  },
});

const open = async () => {
  openings += 1;
  process.stderr.write('engine opened\n');
  if (mode === 'broken' && openings === 1) throw new Error('no such disk');
  return { engine, caller: callerOf() };
};
await serveMcpOverStdio(open, {
  loadTools: async () => (await import('../../src/server/create-tools.ts')).createTools(),
  prepare: async () => mode === 'telling' && process.stderr.write('prepared\n'),
});
process.exit(0);
