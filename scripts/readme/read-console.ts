/** A command as it stands in a document, with what it printed. */
export interface ConsoleStep {
  /** Behind the prompt; the lines of one that goes on behind a backslash are joined. */
  command: string;
  output: string[];
}

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

/** The steps of each block of a terminal session, in order. */
export function readConsoles(page: string): ConsoleStep[][] {
  return [...page.matchAll(BLOCK)].map(([, text]) => readSteps(text!));
}

function readSteps(text: string): ConsoleStep[] {
  const steps: ConsoleStep[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: [] });
    else if (last !== undefined) last.output.push(line);
  }
  return steps.map(({ command, output }) => ({ command, output: trimLines(output) }));
}

function trimLines(lines: readonly string[]): string[] {
  const text = lines.join('\n').trimEnd();
  return text === '' ? [] : text.split('\n');
}

/** The page with its first session replaced. */
export function writeFirstConsole(page: string, steps: readonly ConsoleStep[]): string {
  const text = steps.map(({ command, output }) => [`$ ${command}`, ...output, ''].join('\n')).join('\n');
  let isFirst = true;
  return page.replace(BLOCK, (whole) => {
    if (!isFirst) return whole;
    isFirst = false;
    return `\`\`\`console\n${text}\`\`\``;
  });
}
