/** One sign of a pattern: any number of characters (`deep`: slashes too), or one that passes. */
export type Sign = 'any' | 'deep' | ((character: string) => boolean);

/** What matching may still cost, counted in steps. */
export interface Steps {
  left: number;
}

/** `*`, `?`, `[a-z]`, `[!a]` and `\*` as a shell reads them in a name. */
export function readSigns(glob: string): Sign[] {
  const signs: Sign[] = [];
  for (const [sign] of glob.matchAll(/\*+|\?|\[(?:!|\^)?\]?[^\]]{0,500}\]|\\.|[\s\S]/gu)) {
    if (sign.startsWith('*')) signs.push('any');
    else if (sign === '?') signs.push(() => true);
    else if (sign.startsWith('[') && sign.length > 2) signs.push(readClass(sign.slice(1, -1)));
    else signs.push(readLiteral(sign.length > 1 && sign.startsWith('\\') ? sign.slice(1) : sign));
  }
  return signs;
}

/** `*` and `?` stop at a slash, `**` does not; everything else means itself. */
export function readPathSigns(glob: string): Sign[] {
  return [...glob.matchAll(/\*\*\/?|[\s\S]/gu)].map(([sign]): Sign => {
    if (sign.startsWith('**')) return 'deep';
    if (sign === '*') return 'any';
    return sign === '?' ? (character) => character !== '/' : readLiteral(sign);
  });
}

/** Only `*` is a sign, and stands for anything. */
export function readStars(glob: string): Sign[] {
  return [...glob.matchAll(/\*+|[\s\S]/gu)].map(([sign]): Sign => (sign.startsWith('*') ? 'deep' : readLiteral(sign)));
}

function readLiteral(literal: string): Sign {
  return (character) => character === literal;
}

function readClass(body: string): Sign {
  const negates = /^[!^]/.test(body);
  const ranges = [...body.slice(negates ? 1 : 0).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)];
  const holds = (character: string): boolean =>
    ranges.some(([one, from, to]) =>
      from !== undefined && to !== undefined ? from <= character && character <= to : one === character,
    );
  return (character) => holds(character) !== negates;
}

/**
 * Whether the signs match the whole text. All ways are followed at once, so that it takes at most the length of the text times the number of signs. Null: the steps
 * were used up before it was known.
 */
export function matchesSigns(signs: readonly Sign[], text: string, steps?: Steps): boolean | null {
  let reached = pass(signs, [0]);
  for (const character of text) {
    if (steps !== undefined) {
      steps.left -= reached.length;
      if (steps.left < 0) return null;
    }
    const next: number[] = [];
    for (const at of reached) {
      const sign = signs[at];
      if (sign === undefined) continue;
      if (sign === 'deep' || (sign === 'any' && character !== '/')) next.push(at);
      else if (sign !== 'any' && sign(character)) next.push(at + 1);
    }
    if (next.length === 0) return false;
    reached = pass(signs, next);
  }
  return reached.at(-1) === signs.length;
}

/** The places, ascending, with those behind a star that stands for nothing. */
function pass(signs: readonly Sign[], places: readonly number[]): number[] {
  const all: number[] = [];
  for (let at of places) {
    if (all.length > 0 && at <= all.at(-1)!) continue;
    all.push(at);
    while (signs[at] === 'any' || signs[at] === 'deep') all.push(++at);
  }
  return all;
}
