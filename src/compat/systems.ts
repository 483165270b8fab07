import { service } from './service/compat.ts';

/** The systems whose words the program understands, as far as they declare what they have. */
export const SYSTEMS = [service] as const;
