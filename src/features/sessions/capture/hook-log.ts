import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_BYTES = 256 << 10;

/** A line about what went wrong: a code and a place, never a text of the event. Bounded; where it cannot be written, nobody is told. */
export function logFailure(folder: string, step: string, error: unknown): void {
  const { code, name, syscall } = (error ?? {}) as { code?: unknown; name?: unknown; syscall?: unknown };
  const path = join(folder, 'hook.log');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(path, `${path}.1`);
    const line = {
      time: new Date().toISOString(),
      step,
      error: String(code ?? name ?? 'unknown'),
      ...(typeof syscall === 'string' && { syscall }),
    };
    writeFileSync(path, `${JSON.stringify(line)}\n`, { flag: 'a', mode: 0o600 });
  } catch {
    // A hook fails open: the log is for people, and the agent must not wait for it.
  }
}
