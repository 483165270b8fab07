import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowMoves, dropSchema, findCitus, listLeftovers, runSql, takeTurn } from '../postgres/citus-cluster.ts';
import { findPostgres } from '../postgres/private-postgres.ts';
import { openShell, readCommands, type Shell } from './document-commands.ts';
import { type ServeProcess, startServe } from './serve-process.ts';

const citus = findCitus();
const skip = 'missing' in citus ? citus.missing : false;
const clusterUrl = 'url' in citus ? citus.url : '';
const postgres = findPostgres();
const CLIENTS = 6;

describe('docs/scaling.md, run as it stands on a cluster that serves', { skip }, () => {
  const schema = `documents_${process.pid}`;
  let shell: Shell;
  let served: ServeProcess;
  let token: string;
  let nodes: string[];
  let isRoleOurs = false;
  let endTurn = async () => {};
  const commands = (name: string, replacements: Record<string, string> = {}) => {
    const { host, pathname } = new URL(clusterUrl);
    const coordinator = `'postgres://postgres@${host}${pathname}?schema=${schema}'`;
    return readCommands('scaling.md', name, { 'postgres://postgres@coordinator/ltm': coordinator, ...replacements });
  };

  before(async () => {
    await allowMoves(clusterUrl);
    endTurn = await takeTurn(clusterUrl);
    isRoleOurs = (await runSql(clusterUrl, "SELECT 1 FROM pg_roles WHERE rolname = 'ltm'")).length === 0;
    if (isRoleOurs) await runSql(clusterUrl, 'CREATE ROLE ltm LOGIN');
    nodes = (
      await runSql(clusterUrl, "SELECT nodename || ':' || nodeport AS node FROM pg_dist_node WHERE shouldhaveshards")
    ).map(({ node }) => String(node));
    shell = openShell('folder' in postgres ? postgres.folder : '');
    const [setUp] = commands('distribute').split('\n');
    await shell.run(setUp!);
    const db = new URL(clusterUrl);
    db.username = 'ltm';
    db.searchParams.set('schema', schema);
    served = await startServe(shell.folder, ['--embedder', 'none', '--db', db.href]);
    token = (await shell.run(`ltm server issue-token clients --role person --db '${db.href}'`)).trim();
  });
  after(async () => {
    await served?.stop();
    shell?.remove();
    await dropSchema(clusterUrl, schema);
    if (isRoleOurs) await runSql(clusterUrl, 'DROP ROLE ltm');
    await endTurn();
  });

  /** While this is done, clients store and read without a pause: how many answers of each kind did they get? */
  async function whileAsking(work: () => Promise<void>): Promise<{ statuses: Record<string, number>; stored: number }> {
    const statuses: Record<string, number> = {};
    let stored = 0;
    let stopped = false;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = 0; !stopped; i++) {
        const isWrite = client % 2 === 0;
        const body = JSON.stringify({ content: `Note ${i} of the harbour: ${randomUUID()}.` });
        const path = `${served.url}/api/v1/memories`;
        const answer = await fetch(path, isWrite ? { method: 'POST', headers, body } : { headers });
        const text = await answer.text();
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 201) stored++;
        if (answer.status === 200) ok(/"total":\d*[1-9]/.test(text), 'nobody is shown an empty memory');
      }
    });
    try {
      await work();
    } finally {
      stopped = true;
      await Promise.all(clients);
    }
    return { statuses, stored };
  }

  const countStored = async () => {
    const answer = await fetch(`${served.url}/api/v1/memories?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { total: number }).total;
  };

  test('distribute refuses nobody with a valid token and shows nobody an empty memory', {}, async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${served.url}/api/v1/memories`, { method: 'POST', headers, body: '{"content":"The first note."}' });
    const [, ...distribute] = commands('distribute').split('\n');
    const { statuses, stored } = await whileAsking(async () => {
      await sleep(500);
      match(await shell.run(distribute.join('\n')), /Done/);
      await sleep(500);
    });
    const { 200: reads, 201: writes, 503: _later, ...others } = statuses;
    deepEqual(others, {});
    ok(reads! > 0 && writes! > 0);
    equal(await countStored(), 1 + stored);
  });

  test('isolate gives the space of a person a server of its own under writes, and leaves nothing behind', {}, async () => {
    const before = await countStored();
    const dryRun = await shell.run(commands('isolate', { TEAM: 'owner', '--node worker3:5432': '--dry-run' }));
    const node = nodes.find((one) => !dryRun.includes(one))!;
    const isolate = commands('isolate', { TEAM: 'owner', 'worker3:5432': node });
    const { statuses, stored } = await whileAsking(async () =>
      match(await shell.run(isolate), new RegExp(`on ${node}`)),
    );
    const { 200: reads, 201: writes, 503: _later, ...others } = statuses;
    deepEqual(others, {});
    ok(reads! > 0 && writes! > 0);
    equal(await countStored(), before + stored);
    deepEqual(await listLeftovers(clusterUrl), []);
  });

  test('rebalancing ends under writes', async () => {
    const owner = `ltm_${schema}_owner`;
    const [, ...rebalance] = commands('rebalance', { ltm_owner: owner }).trim().split(/;\n */);
    const before = await countStored();
    const { stored } = await whileAsking(async () => {
      for (const sql of rebalance) await runSql(clusterUrl, sql);
    });
    equal(await countStored(), before + stored);
    deepEqual(await runSql(clusterUrl, `SELECT rolcanlogin FROM pg_roles WHERE rolname = '${owner}'`), [
      { rolcanlogin: false },
    ]);
  });
});
