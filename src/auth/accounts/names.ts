import { EngineError } from '../../model/errors.ts';
import { hiddenInNames } from '../../model/hidden-characters.ts';
import { type Instant, newRecordId } from '../../model/ids.ts';

/** Nobody's user id begins so: a person's space and a team's never have the same name. */
export const TEAM_PREFIX = 'team_';

export function newId(prefix: 'user_' | 'inv_' | typeof TEAM_PREFIX, now: Instant): string {
  return `${prefix}${newRecordId(now)}`;
}

const MAX_NAME_CHARS = 100;
const MAX_EMAIL_CHARS = 254;

/** As others see it, whoever or whatever it names. */
export function readName(name: string, field = 'name'): string {
  const trimmed = name.normalize('NFC').trim();
  if (trimmed === '' || [...trimmed].length > MAX_NAME_CHARS || hiddenInNames().test(trimmed)) {
    throw invalid(field, `A name has 1 to ${MAX_NAME_CHARS} visible characters.`);
  }
  return trimmed;
}

export function readTeamName(name: string): string {
  const trimmed = name.trim();
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(trimmed)) return trimmed;
  throw invalid(
    'name',
    'A team name has up to 40 characters: lower-case letters, digits, "_" and "-", beginning with a letter or a digit.',
  );
}

export function readEmail(email: string): string {
  const plain = email.normalize('NFC').trim().toLowerCase();
  if (plain.length <= MAX_EMAIL_CHARS && /^[^\s@]+@[^\s@]+$/.test(plain) && !hiddenInNames().test(plain)) return plain;
  throw invalid('email', 'This is not an email address.');
}

export function readUserId(id: string): string {
  if (/^[\w.@+-]{1,128}$/.test(id) && !id.startsWith(TEAM_PREFIX)) return id;
  throw invalid(
    'user',
    `A user id has up to 128 letters, digits and . _ @ + -, and does not begin with "${TEAM_PREFIX}".`,
  );
}

function invalid(field: string, message: string): EngineError {
  return new EngineError('invalid_input', message, { details: { field } });
}
