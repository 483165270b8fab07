/** Arrays that one search after the other uses, so that none has to be made and thrown away. */
export interface Scratch {
  /** Zeros, valid until the next call with this name. */
  take(name: 'text' | 'meaning' | 'fused', length: number): Float32Array;
}

export function createScratch(): Scratch {
  const arrays = new Map<string, Float32Array>();
  return {
    take(name, length) {
      let array = arrays.get(name);
      if (array === undefined || array.length < length) {
        array = new Float32Array(Math.ceil(length * 1.25));
        arrays.set(name, array);
      }
      return array.subarray(0, length).fill(0);
    },
  };
}
