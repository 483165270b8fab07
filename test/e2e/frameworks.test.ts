import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openShell, readCommands } from './document-commands.ts';
import { startServe } from './serve-process.ts';

/** Where scripts/install-frameworks.sh puts them. */
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
const pythonOf = (place: string): string => join(CACHE, place, 'bin', 'python');

function missing(place: string, module: string): string | false {
  const python = pythonOf(place);
  const isThere = existsSync(python) && spawnSync(python, ['-c', `import ${module}`]).status === 0;
  return isThere ? false : `Python's ${module} is not installed here; scripts/install-frameworks.sh installs it.`;
}

const PROGRAMS = [
  { name: 'langgraph', place: 'frameworks', module: 'langgraph', says: /Deploys go out on Thursdays/ },
  { name: 'autogen', place: 'frameworks', module: 'autogen_ext', says: /Invoices are numbered by year/ },
  { name: 'crewai', place: 'frameworks-crewai', module: 'crewai_tools', says: /The harbour opens at six/ },
];
for (const { name, place, module, says } of PROGRAMS)
  test(`the program for ${name} in docs/frameworks.md runs as it stands`, {
    skip: missing(place, module),
  }, async () => {
    const shell = openShell('', { CREWAI_DISABLE_TELEMETRY: 'true', OTEL_SDK_DISABLED: 'true' });
    try {
      writeFileSync(join(shell.folder, 'program.py'), readCommands('frameworks.md', name, {}));
      assert.match(await shell.run(`'${pythonOf(place)}' program.py`), says);
    } finally {
      shell.remove();
    }
  });

test('two agents work together through a tag and the event stream, as docs/frameworks.md shows', async () => {
  const shell = openShell('');
  const served = await startServe(shell.folder, ['--db', join(shell.folder, 'memory.db')]);
  try {
    writeFileSync(join(shell.folder, 'pipeline.mjs'), readCommands('frameworks.md', 'pipeline', {}));
    const token = readFileSync(join(shell.folder, 'owner-token'), 'utf8').trim();
    const said = await shell.run(`'${process.execPath}' pipeline.mjs ${served.url} ${token}`);
    assert.equal(said, 'Reviewed: The cache is never invalidated after a rename\n');
  } finally {
    await served.stop();
    shell.remove();
  }
});
