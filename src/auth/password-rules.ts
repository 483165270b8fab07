import { EngineError } from '../model/errors.ts';
import type { User } from '../model/identity.ts';

const MIN_CHARS = 10;
const MAX_CHARS = 1024;
const WORDS = 'Four or five unrelated words are easy to remember.';

/** The ones of ten characters and more that people try first; longer lists belong to a service made for that. */
const COMMON = new Set(
  `password12 password123 password1234 password12345 passw0rd12 passw0rd123 p@ssw0rd12 p@ssw0rd123 p@ssword123 mypassword yourpassword newpassword
  thepassword changeme12 changeme123 changemenow letmein123 letmein1234 welcome123 welcome1234 welcome2024 welcome2025 welcome2026 iloveyou12 iloveyou123
  qwertyuiop qwertyuiop123 qwerty12345 qwerty123456 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc zaq12wsxcde qazwsxedcrfv asdfghjkl1 asdfghjkl123 zxcvbnm123
  abcdefghij abcd123456 abc1234567 abc123abc123 a1b2c3d4e5 administrator admin12345 admin123456 administrator1 rootroot123 football123 baseball123
  basketball superman123 batman12345 sunshine123 princess123 monkey12345 dragon12345 whatever123 trustno1trustno1 starwars123 computer123 internet123
  secret12345 default123 testtest12 test123456 test12345678 longtermmemory`.split(/\s+/),
);

/** Throws where a password would be guessed soon. Characters are free: length is what counts. */
export function checkPasswordRules(password: string, user: Pick<User, 'name' | 'email'> | null): void {
  const length = [...password.normalize('NFC')].length;
  if (length < MIN_CHARS) throw refusal(`A password needs at least ${MIN_CHARS} characters.`, WORDS);
  if (length > MAX_CHARS)
    throw refusal(`A password may have at most ${MAX_CHARS} characters.`, 'Choose a shorter one.');
  const plain = password.toLowerCase();
  if (COMMON.has(plain) || new Set(plain).size < 4 || isSequence(plain))
    throw refusal('This password is too common.', WORDS);
  const own = [user?.name, user?.email, user?.email?.split('@')[0]].filter(
    (word) => word !== undefined && word !== null && word.length >= 4,
  );
  if (own.some((word) => plain.replace(word!.toLowerCase(), '').length < 4))
    throw refusal('The password is too similar to your name.', 'Choose another one.');
}

/** 1234567890, abcdefghijkl, 0987654321 and their repetitions. */
function isSequence(text: string): boolean {
  const steps = new Set<number>();
  for (let i = 1; i < text.length; i++) steps.add(text.charCodeAt(i) - text.charCodeAt(i - 1));
  return steps.size === 1 || (/^\d+$/.test(text) && steps.size === 2 && (steps.has(1) || steps.has(-1)));
}

function refusal(message: string, hint: string): EngineError {
  return new EngineError('invalid_input', message, { hint, details: { field: 'password' } });
}
