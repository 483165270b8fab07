/** Whether all numbers of an array are this one. Compared as bytes, by the machine: a loop takes a new process a millisecond for ten thousand. */
export function holdsOneValue(numbers: Uint8Array | Uint32Array | Float64Array, value: number): boolean {
  if (numbers.length === 0) return true;
  if (numbers[0] !== value) return false;
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } = numbers;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return Buffer.compare(bytes.subarray(BYTES_PER_ELEMENT), bytes.subarray(0, byteLength - BYTES_PER_ELEMENT)) === 0;
}

/** The same of two arrays of equal length. */
export function holdsSameBytes(a: Uint32Array, b: Uint32Array): boolean {
  const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array) => new Uint8Array(buffer, byteOffset, byteLength);
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}
