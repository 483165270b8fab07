import { emitKeypressEvents } from 'node:readline';
import { safeLine } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { ListedPacket } from '../verbs/list-packets.ts';
import { cutGoal } from './show-packets.ts';

const ROWS = 12;
const GOAL_CHARS = 80;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Draws on stderr; null when the person leaves with Esc, q or Ctrl-C. */
export function pickPacket(
  choices: readonly ListedPacket[],
  { streams, width }: Terminal,
): Promise<ListedPacket | null> {
  const stdin = streams.stdin as NodeJS.ReadStream;
  const { stderr } = streams;
  let at = 0;
  let drawn = 0;
  const draw = (): void => {
    const lines = describeChoices(choices, at, width);
    stderr.write(`${clear(drawn)}${HIDE_CURSOR}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  return new Promise((resolve) => {
    const onKey = (_text: string | undefined, key: Key): void => {
      const isDone = leaves(key) || chooses(key);
      at = Math.max(0, Math.min(choices.length - 1, at + (STEPS[key.name ?? ''] ?? 0)));
      if (!isDone) {
        draw();
        return;
      }
      stdin.off('keypress', onKey);
      stdin.setRawMode?.(false);
      stdin.pause();
      stderr.write(`${clear(drawn)}${SHOW_CURSOR}`);
      resolve(chooses(key) ? choices[at]! : null);
    };
    emitKeypressEvents(stdin);
    stdin.setRawMode?.(true);
    stdin.resume();
    stdin.on('keypress', onKey);
    draw();
  });
}

interface Key {
  name?: string;
  ctrl?: boolean;
}

function leaves({ name, ctrl }: Key): boolean {
  return name === 'escape' || name === 'q' || (ctrl === true && (name === 'c' || name === 'd'));
}

function chooses({ name }: Key): boolean {
  return name === 'return' || name === 'enter';
}

/** A headline, and as many lines around the chosen one as fit. */
function describeChoices(choices: readonly ListedPacket[], at: number, width: number): string[] {
  const most = Math.min(GOAL_CHARS, width - 24);
  const top = Math.max(0, Math.min(at - Math.floor(ROWS / 2), choices.length - ROWS));
  const lines = choices.slice(top, top + ROWS).map(({ createdAt, goal }, i) => {
    const line = `${safeLine(createdAt).slice(0, 16).replace('T', ' ')}  ${cutGoal(goal, most)}`;
    return top + i === at ? `\u001b[7m> ${line}\u001b[27m` : `  ${line}`;
  });
  return [`Resume which packet? (arrow keys, Enter; Esc cancels)  ${at + 1}/${choices.length}`, ...lines];
}

const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  pageup: -ROWS,
  pagedown: ROWS,
  home: -1000,
  end: 1000,
};

function clear(lines: number): string {
  return lines === 0 ? '' : `\u001b[${lines}A\u001b[J`;
}
