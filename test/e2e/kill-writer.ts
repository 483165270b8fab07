// A process that stores memories as fast as it can and says each one it was told is safe. The kill loop ends it at random moments.
import { writeSync } from 'node:fs';
import { loadConfig } from '../../src/features/config.ts';
import { ownerCaller } from '../../src/model/caller.ts';
import { openEngine } from '../../src/server/open-engine.ts';
import { createLog } from '../../src/settings/log.ts';

const [db, name, from, count] = process.argv.slice(2) as [string, string, string, string];
const engine = await openEngine(
  loadConfig({ flags: { db, 'flush-passages': '150' }, env: {} }),
  createLog('error', process.stderr),
);
const caller = ownerCaller('mcp', 'kill-writer');
for (let i = Number(from); i < Number(count); i++) {
  const content = `writer ${name} noted item ${i}: the ${i % 7 === 0 ? 'deployment' : 'review'} of module-${name}-${i} is settled`;
  const result = await engine.storeMemory(caller, { content, tags: [`writer-${name}`], onDuplicate: 'store' });
  if (!('memory' in result)) throw new Error(`unexpected outcome ${result.outcome}`);
  writeSync(1, `${i} ${result.memory.id}\n`);
  if (i % 10 === 9) await engine.runUpkeep();
}
await engine.close();
