import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/features/config.ts';
import { ownerCaller } from '../../src/model/caller.ts';
import { openEngine } from '../../src/server/open-engine.ts';
import { createLog } from '../../src/settings/log.ts';

export interface KillLoopReport {
  acknowledged: number;
  kills: number;
  lost: string[];
  complaints: string[];
  sound: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
  unfound: string[];
  seconds: number;
}

/** Writers on one file, ended by SIGKILL at random moments and started again until each has written its share. */
export async function runKillLoop(options: {
  processes: number;
  writes: number;
  kills: number;
  onProgress?: (acknowledged: number, kills: number) => void;
}): Promise<KillLoopReport> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'ltm-kill-'));
  const db = join(folder, 'memory.db');
  const acknowledged = new Map<string, string>();
  const complaints: string[] = [];
  const running = new Set<ChildProcess>();
  let kills = 0;

  const runWriter = async (name: string): Promise<void> => {
    let next = 0;
    while (next < options.writes) {
      const reached = await new Promise<number>((resolve) => {
        const child = spawn(
          process.execPath,
          [join(import.meta.dirname, 'kill-writer.ts'), db, name, String(next), String(options.writes)],
          {
            stdio: ['ignore', 'pipe', 'pipe'],
          },
        );
        running.add(child);
        let last = next;
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => {
          text += chunk;
          const lines = text.split('\n');
          text = lines.pop() ?? '';
          for (const line of lines) {
            const [item, id] = line.split(' ') as [string, string];
            acknowledged.set(id, `module-${name}-${item}`);
            last = Number(item) + 1;
          }
        });
        child.stderr.on('data', (chunk: Buffer) => complaints.push(String(chunk)));
        child.on('close', (code, signal) => {
          running.delete(child);
          if (code !== 0 && signal !== 'SIGKILL') complaints.push(`writer ${name} ended with ${code ?? signal}`);
          resolve(last);
        });
      });
      next = reached;
    }
  };

  const killer = (async () => {
    while (kills < options.kills) {
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 500));
      const victims = [...running];
      const victim = victims[Math.floor(Math.random() * victims.length)];
      if (victim === undefined) return;
      if (victim.kill('SIGKILL')) kills++;
      options.onProgress?.(acknowledged.size, kills);
    }
  })();
  await Promise.all(Array.from({ length: options.processes }, (_, i) => runWriter(`w${i}`)));
  await killer;

  const engine = await openEngine(
    loadConfig({ flags: { db, 'flush-passages': '150' }, env: {} }),
    createLog('error', process.stderr),
  );
  const caller = ownerCaller('cli');
  const ids = [...acknowledged.keys()];
  const lost: string[] = [];
  for (let i = 0; i < ids.length; i += 500)
    lost.push(...(await engine.getMemories(caller, { refs: ids.slice(i, i + 500) })).missing);
  const report = await engine.examine(caller, {});
  const unfound: string[] = [];
  for (let i = 0; i < ids.length; i += Math.max(1, Math.floor(ids.length / 50))) {
    const id = ids[i] as string;
    const result = await engine.search(caller, { query: acknowledged.get(id) as string, limit: 5 });
    if (!result.hits.some((hit) => hit.id === id)) unfound.push(id);
  }
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    acknowledged: ids.length,
    kills,
    lost,
    complaints,
    sound: report.sound,
    checks: report.checks,
    unfound,
    seconds: (performance.now() - started) / 1000,
  };
}
