/** Made when it is first needed: a pattern takes its time already when it is made, and a process that lives for 30 ms needs few of them. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
