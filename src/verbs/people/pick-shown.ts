/** These fields and no others: what a store keeps beside them is shown to nobody. */
export function pickShown<T, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
}
