import { EngineError } from '../../model/errors.ts';
import { type Instruction, parsePattern } from './parse-pattern.ts';

/** A search pattern whose matching takes time in proportion to the text, whatever the pattern and the text are. */
export interface LinearPattern {
  /** Whether a part of this line matches. */
  test(line: string): boolean;
}

/** States of the machine that are kept; beyond it they are made anew, which costs time and never memory. */
const MAX_STATES = 2000;
/** Characters between two looks at the clock. */
const STRIDE = 4096;

interface State {
  /** Places in the programme before assertions are judged. */
  places: readonly number[];
  isStart: boolean;
  wasWord: boolean;
  next: Map<number, State | 'match'>;
  matchesAtEnd: boolean | null;
}

/**
 * All alternatives are followed at once, and each set of them is remembered as a state: there is nothing to go back to. Back references and
 * look-around would need that, and are refused.
 */
export function compilePattern(
  source: string,
  { caseSensitive = false, deadline = Number.POSITIVE_INFINITY }: { caseSensitive?: boolean; deadline?: number } = {},
): LinearPattern {
  const program = parsePattern(source, caseSensitive);
  const states = new Map<string, State>();

  const stateOf = (places: readonly number[], isStart: boolean, wasWord: boolean): State => {
    const key = `${isStart ? 1 : 0}${wasWord ? 1 : 0}${places.join()}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    if (states.size >= MAX_STATES) states.clear();
    const state: State = { places, isStart, wasWord, next: new Map(), matchesAtEnd: null };
    states.set(key, state);
    return state;
  };

  const step = (state: State, code: number): State | 'match' => {
    const { places, isStart, wasWord } = state;
    const reached = resolve(program, places, { isStart, isEnd: false, isBoundary: wasWord !== isWord(code) });
    if (reached === 'match') return 'match';
    const following = new Set<number>();
    for (const place of reached) {
      const instruction = program[place]!;
      if (instruction.op === 'char' && instruction.matches(code)) following.add(place + 1);
    }
    // a match may begin at every character
    following.add(0);
    return stateOf(
      [...following].sort((a, b) => a - b),
      false,
      isWord(code),
    );
  };

  const endsWell = (state: State): boolean => {
    const { places, isStart, wasWord } = state;
    state.matchesAtEnd ??= resolve(program, places, { isStart, isEnd: true, isBoundary: wasWord }) === 'match';
    return state.matchesAtEnd;
  };

  return {
    test(line) {
      let state = stateOf([0], true, false);
      let untilLook = STRIDE;
      for (let at = 0; at < line.length; at++) {
        if (--untilLook === 0) {
          untilLook = STRIDE;
          if (performance.now() > deadline) throw new OutOfTime();
        }
        const code = line.codePointAt(at)!;
        if (code > 0xffff) at++;
        let next = state.next.get(code);
        if (next === undefined) {
          next = step(state, code);
          state.next.set(code, next);
        }
        if (next === 'match') return true;
        state = next;
      }
      return endsWell(state);
    },
  };
}

/** The time that a search may take is over; what was found until then is the answer. */
export class OutOfTime extends EngineError {
  constructor() {
    super('busy', 'The search took too long.', { hint: 'Name a workspace or a period, or simplify the pattern.' });
  }
}

interface Around {
  isStart: boolean;
  isEnd: boolean;
  isBoundary: boolean;
}

/** Every place that is reached without reading a character, or that one of them is the end. */
function resolve(
  program: readonly Instruction[],
  places: readonly number[],
  { isStart, isEnd, isBoundary }: Around,
): number[] | 'match' {
  const seen = new Set<number>();
  const pending = [...places];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    const instruction = program[place]!;
    switch (instruction.op) {
      case 'match':
        return 'match';
      case 'split':
        pending.push(...instruction.to);
        break;
      case 'start':
        if (isStart) pending.push(place + 1);
        break;
      case 'end':
        if (isEnd) pending.push(place + 1);
        break;
      case 'boundary':
        if (isBoundary === instruction.wanted) pending.push(place + 1);
        break;
    }
  }
  return [...seen];
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}
