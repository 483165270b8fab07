import { encodeText } from './text-codec.ts';

/** For the few places where SQL takes no parameters (SET, CREATE SCHEMA). */
export function quoteLiteral(text: string): string {
  const quoted = encodeText(text).replaceAll("'", "''");
  return quoted.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}

export function quoteName(name: string): string {
  return `"${encodeText(name).replaceAll('"', '""')}"`;
}
