type Method = (...args: never[]) => Promise<unknown>;

/** Methods of what few processes ever ask for: it is loaded and made when one of them is first called, so that a single command need not read it. */
export function lateMethods<Methods extends { [Name in keyof Methods]: Method }>(
  names: { readonly [Name in keyof Methods]: true },
  make: () => Promise<Methods>,
): Methods {
  let made: Promise<Methods> | null = null;
  const call =
    (name: keyof Methods): Method =>
    async (...args) => {
      made ??= make();
      return (await made)[name](...args);
    };
  return Object.fromEntries(Object.keys(names).map((name) => [name, call(name as keyof Methods)])) as Methods;
}
