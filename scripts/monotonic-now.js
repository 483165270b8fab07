/** Milliseconds since some moment, for the published program. */
export function monotonicNow() {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
