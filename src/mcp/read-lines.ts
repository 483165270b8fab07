const NEWLINE = 10;

/** Cuts a stream of bytes at newlines; a line over the limit is dropped whole and reported once. */
export function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;

  function take(piece: Buffer): void {
    if (skipping) return;
    length += piece.length;
    if (length <= maxBytes) {
      parts.push(piece);
      return;
    }
    skipping = true;
    parts = [];
    onTooLong();
  }

  function endLine(): void {
    const line = skipping ? '' : Buffer.concat(parts, length).toString('utf8').trim();
    parts = [];
    length = 0;
    skipping = false;
    if (line !== '') onLine(line);
  }

  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  };
}
