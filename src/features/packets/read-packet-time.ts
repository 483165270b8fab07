import { toIsoSeconds } from '../../model/instant.ts';

const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

export interface PacketTime {
  /** As the canonical form writes it: the author's zone, no trailing zeros, nine digits of fraction at most. */
  canonical: string;
  /** Milliseconds since 1970. */
  instant: number;
}

/**
 * RFC 3339 and nothing looser: upper-case T and Z, two digits everywhere, a point before the fraction, no leap second, an offset below 24:00,
 * and a moment that is still in the years 0000 to 9999 in UTC, so that it can always be written down again. Otherwise null.
 */
export function readPacketTime(text: string): PacketTime | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, date, time, digits = '', zone] = match;
  if (zone !== 'Z' && !(Number(zone!.slice(1, 3)) < 24 && Number(zone!.slice(4)) < 60)) return null;
  const wall = new Date(`${date}T${time}Z`);
  // Date reads 30 February as 2 March and 24:00 as the next day: what it writes must be what it read.
  if (Number.isNaN(wall.getTime()) || wall.toISOString().slice(0, 19) !== `${date}T${time}`) return null;
  const instant = wall.getTime() - offsetMinutes(zone!) * 60_000 + Number(digits.slice(0, 3).padEnd(3, '0'));
  if (!/^\d{4}-/.test(new Date(instant).toISOString())) return null;
  const fraction = digits.slice(0, 9).replace(/0+$/, '');
  return {
    canonical: `${date}T${time}${fraction === '' ? '' : `.${fraction}`}${/^[+-]00:00$/.test(zone!) ? 'Z' : zone}`,
    instant,
  };
}

/** The moment in UTC, without a fraction. The text is one that `readPacketTime` reads. */
export function showPacketTime(text: string): string {
  const time = readPacketTime(text);
  return time === null ? text : toIsoSeconds(time.instant);
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -minutes : minutes;
}
