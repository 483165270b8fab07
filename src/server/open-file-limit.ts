import type { Log } from '../engine/ports.ts';

/** Of the files that a process may have open, so many are left for requests, the database and the rest. */
const LEFT_FREE = 0.25;

/** The setting, or less where the system allows fewer open files: a server that has none left answers nobody. */
export function boundStreams(wanted: number, log: Log, openFiles = findOpenFileLimit()): number {
  if (openFiles === null) return wanted;
  const possible = Math.max(1, Math.floor(openFiles * (1 - LEFT_FREE)));
  if (possible >= wanted) return wanted;
  log.warn('streams_bounded', {
    limit: possible,
    max_streams: wanted,
    open_files: openFiles,
    message: 'The system limits the open files of a process; raise it (ulimit -n, LimitNOFILE) for more streams.',
  });
  return possible;
}

/** null: unlimited, or not known on this system. */
function findOpenFileLimit(): number | null {
  const { report } = process;
  Object.assign(report, { excludeNetwork: true, excludeEnv: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
