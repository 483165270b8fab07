import type { EngineParts } from '../engine/engine-parts.ts';
import { type Late, lateFunctions } from '../model/late.ts';

export type { Late } from '../model/late.ts';

/** The function as the engine has it: without the core that it works on. */
type Bound<F> = F extends (core: EngineParts, ...rest: infer Rest) => infer Out ? (...rest: Rest) => Out : never;
type Awaiting<F> = F extends (...rest: infer Rest) => infer Out ? (...rest: Rest) => Promise<Awaited<Out>> : never;
type OfCore = (core: EngineParts, ...rest: never[]) => unknown;

/** A function that is there from the start. */
export function bound<F extends OfCore>(run: F): (core: EngineParts) => Bound<F> {
  return (core) => ((...rest: never[]) => run(core, ...rest)) as Bound<F>;
}

/** A function of a module that is loaded when the function is first called. */
export function late<Module, Name extends keyof Module>(
  load: Late<Module>,
  name: Name,
): (core: EngineParts) => Awaiting<Bound<Module[Name]>> {
  const run = lateFunctions(load, name)[name] as OfCore;
  return (core) => ((...rest: never[]) => run(core, ...rest)) as Awaiting<Bound<Module[Name]>>;
}

/** The same for a function that gives one thing after the other. */
export function lateStream<Module, Name extends keyof Module>(
  load: Late<Module>,
  name: Name,
): (core: EngineParts) => Bound<Module[Name]> {
  return (core) =>
    async function* (...rest: never[]) {
      yield* ((await load())[name] as (...given: unknown[]) => AsyncIterable<unknown>)(core, ...rest);
    } as Bound<Module[Name]>;
}
