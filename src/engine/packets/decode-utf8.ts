/** UTF-8 to text; each byte that is not part of a character becomes one U+FFFD, which is not what TextDecoder does with a sequence that is cut short. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeByHand(bytes);
  }
}

function decodeByHand(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes[i]!);
    const character = length === 0 ? null : tryDecode(strict, bytes.subarray(i, i + length));
    text += character ?? '\ufffd';
    i += character === null ? 1 : length;
  }
  return text;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

function tryDecode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null; // cut short or not UTF-8: the caller writes U+FFFD for the first byte
  }
}
