/** Loaded by the first who asks. */
export type Late<T> = () => Promise<T>;

type Callable = (...args: never[]) => unknown;
type Later<F> = F extends (...args: infer Args) => infer Out ? (...args: Args) => Promise<Awaited<Out>> : never;

/** Functions of a module that is loaded when one of them is first called. They are declared where imports stand: `const { search } = lateFunctions(() => import('./search.ts'), 'search')`. */
export function lateFunctions<Module, Name extends keyof Module>(
  load: Late<Module>,
  ...names: readonly Name[]
): { readonly [Each in Name]: Later<Module[Each]> } {
  let loaded: Module | null = null;
  const call =
    (name: Name) =>
    async (...args: never[]): Promise<unknown> => {
      loaded ??= await load();
      return (loaded[name] as Callable)(...args);
    };
  return Object.fromEntries(names.map((name) => [name, call(name)])) as { [Each in Name]: Later<Module[Each]> };
}

/** Methods of something that is made when one of them is first called, so that what few processes ask for is loaded by those alone. */
export function lateMethods<Methods extends { [Name in keyof Methods]: (...args: never[]) => Promise<unknown> }>(
  names: { readonly [Name in keyof Methods]: true },
  make: Late<Methods>,
): Methods {
  let made: Promise<Methods> | null = null;
  const call =
    (name: keyof Methods) =>
    async (...args: never[]): Promise<unknown> => {
      made ??= make();
      return (await made)[name](...args);
    };
  return Object.fromEntries(Object.keys(names).map((name) => [name, call(name as keyof Methods)])) as Methods;
}
