type Numbers = Uint8Array | Int8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** The array itself while it has room for `length` numbers, otherwise a larger copy. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2, 16));
  larger.set(array);
  return larger;
}
