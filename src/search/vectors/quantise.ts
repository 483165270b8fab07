/** A vector as signed bytes: component ≈ bytes[i] × scale. */
export function quantise(vector: Float32Array): { scale: number; bytes: Int8Array } {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const bytes = new Int8Array(vector.length);
  if (largest === 0 || !Number.isFinite(largest)) return { scale: 0, bytes };
  const scale = largest / 127;
  for (let i = 0; i < vector.length; i++) bytes[i] = Math.round(vector[i]! / scale);
  return { scale, bytes };
}
