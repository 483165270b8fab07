/** The same object without the fields that are undefined: what is written to JSON and compared whole must not have them. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}
