/** Languages, libraries and systems that questions name to say where they are at home: "python read a file". What answers them rarely says so. */
const NAMES =
  'bash golang haskell java javascript js kotlin linux numpy pandas perl php python python3 ruby scala typescript unix';
const surroundings: ReadonlySet<string> = new Set(NAMES.split(' '));

/** Takes folded text. */
export function isSurrounding(word: string): boolean {
  return surroundings.has(word);
}
