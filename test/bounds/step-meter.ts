/** Milliseconds of the processor that the longest stretch took in which nothing else of this thread could run. Waiting does not count, nor what other programs do. */
export async function measureLongestStep(run: () => unknown): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = usedMs();
  const look = (): void => {
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const tick = (): void => {
    look();
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await run();
  } catch {
    // a refusal is an answer
  }
  look();
  isOver = true;
  return longest;
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
