const CONTEXT = 2;
/** Beyond it the lines in between are shown as replaced. */
const MAX_CELLS = 4_000_000;

type Step = { sign: ' ' | '-' | '+'; line: string };

/** What changes between two texts, as `diff -u` writes it, without the file's names. */
export function diffLines(before: string, after: string): string[] {
  const steps = compare(splitLines(before), splitLines(after));
  const shown = steps.map((_, at) =>
    steps.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  return steps.flatMap(({ sign, line }, at) => {
    if (!shown[at]) return [];
    const gap = at > 0 && !shown[at - 1] ? ['  …'] : [];
    return [...gap, `${sign} ${line}`];
  });
}

function splitLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function compare(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): Step[] => lines.map((line) => ({ sign: ' ', line }));
  return [
    ...same(before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** The longest common part stays. */
function compareMiddle(before: readonly string[], after: readonly string[]): Step[] {
  const removed = before.map((line): Step => ({ sign: '-', line }));
  const added = after.map((line): Step => ({ sign: '+', line }));
  if (before.length * after.length > MAX_CELLS) return [...removed, ...added];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let a = before.length - 1; a >= 0; a--)
    for (let b = after.length - 1; b >= 0; b--)
      common[a * width + b] =
        before[a] === after[b]
          ? common[(a + 1) * width + b + 1]! + 1
          : Math.max(common[(a + 1) * width + b]!, common[a * width + b + 1]!);
  const steps: Step[] = [];
  let [a, b] = [0, 0];
  while (a < before.length && b < after.length) {
    if (before[a] === after[b]) {
      steps.push({ sign: ' ', line: before[a]! });
      [a, b] = [a + 1, b + 1];
    } else if (common[(a + 1) * width + b]! >= common[a * width + b + 1]!) steps.push(removed[a++]!);
    else steps.push(added[b++]!);
  }
  return [...steps, ...removed.slice(a), ...added.slice(b)];
}
