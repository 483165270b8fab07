import { OWNER_USER } from '../model/caller.ts';
import type { Credential } from './authenticate.ts';

/** Whoever is let in without a credential: the owner's memories, to read and write, and nothing that needs the owner. */
export const ANONYMOUS: Credential = {
  kind: 'file',
  id: 'anonymous',
  userId: OWNER_USER,
  scopes: ['read', 'write'],
  teamId: null,
  agent: null,
  clientId: null,
};
