import type { Terminal } from './terminal.ts';
import { cutText } from './text-width.ts';

const BAR_WIDTH = 24;
/** Often enough to look alive, rare enough to cost nothing. */
const REDRAW_MS = 80;

export interface Progress {
  /** `total` 0: not known. */
  show(step: string, done: number, total: number): void;
  /** Clears the line. */
  end(): void;
}

/** A bar on stderr while something takes long; nothing at all where nobody watches. */
export function createProgress({ streams, width }: Pick<Terminal, 'streams' | 'width'>, quiet: boolean): Progress {
  const { stderr } = streams;
  if (stderr.isTTY !== true || quiet) return { show: () => undefined, end: () => undefined };
  let drawnAt = 0;
  let drawnStep = '';
  return {
    show(step, done, total) {
      if (step === drawnStep && Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      drawnStep = step;
      stderr.write(`\r\u001b[2K${cutText(drawProgress(step, done, total), width - 1)}`);
    },
    end() {
      if (drawnAt > 0) stderr.write('\r\u001b[2K');
    },
  };
}

export function drawProgress(step: string, done: number, total: number): string {
  if (total <= 0) return `${step}  ${done.toLocaleString('en')}`;
  const share = Math.min(1, done / total);
  const full = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${step}`;
}
