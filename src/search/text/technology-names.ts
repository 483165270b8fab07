/** Languages, libraries and systems that questions name to say what they are about: "python read a file". What answers them rarely says so. */
const NAMES =
  'bash golang haskell java javascript js kotlin linux numpy pandas perl php python python3 ruby scala typescript unix';
const technologies: ReadonlySet<string> = new Set(NAMES.split(' '));

/** Takes folded text. */
export function isTechnologyName(word: string): boolean {
  return technologies.has(word);
}
