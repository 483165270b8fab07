/** Words of a growing list by their length and their first or last character. */
export interface WordsByEnds {
  /** Those that could be one edit away: a cheap superset. One edit leaves the first character or the last one, and moves the length by one at most. */
  couldBeNear(word: string): string[];
  startingWith(prefix: string): string[];
}

/** Of two characters a swap leaves neither. */
const SHORTEST = 3;
/** Longer ones are kept with these. */
const LONGEST = 63;

/** The lists grow when they are asked: whoever only writes does not pay for them. */
export function createWordsByEnds(words: readonly string[]): WordsByEnds {
  const byFirst = new Map<number, string[]>();
  const byLast = new Map<number, string[]>();
  let listed = 0;
  const list = () => {
    for (; listed < words.length; listed++) {
      const word = words[listed]!;
      add(byFirst, keyOf(word.charCodeAt(0), word.length), word);
      add(byLast, keyOf(word.charCodeAt(word.length - 1), word.length), word);
    }
  };
  return {
    couldBeNear(word) {
      list();
      if (word.length < SHORTEST) return words.filter((other) => Math.abs(other.length - word.length) <= 1);
      const [first, last] = [word.charCodeAt(0), word.charCodeAt(word.length - 1)];
      const found: string[] = [];
      for (let length = word.length - 1; length <= word.length + 1; length++) {
        for (const other of byFirst.get(keyOf(first, length)) ?? []) found.push(other);
        for (const other of byLast.get(keyOf(last, length)) ?? []) if (other.charCodeAt(0) !== first) found.push(other);
        if (length >= LONGEST) break;
      }
      return found;
    },
    startingWith(prefix) {
      if (prefix === '') return [...words];
      list();
      const found: string[] = [];
      for (let length = Math.min(LONGEST, prefix.length); length <= LONGEST; length++)
        for (const word of byFirst.get(keyOf(prefix.charCodeAt(0), length)) ?? [])
          if (word.startsWith(prefix)) found.push(word);
      return found;
    },
  };
}

function keyOf(character: number, length: number): number {
  return character * (LONGEST + 1) + Math.min(length, LONGEST);
}

function add(lists: Map<number, string[]>, key: number, word: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [word]);
  else list.push(word);
}
