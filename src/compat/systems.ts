import { connectors } from './connectors/compat.ts';
import { networked } from './networked/compat.ts';
import { observations } from './observations/compat.ts';
import { packets } from './packets/compat.ts';
import { service } from './service/compat.ts';
import { workspaces } from './workspaces/compat.ts';

/** The systems whose words the program understands, one line each. */
export const SYSTEMS = [connectors, networked, packets, workspaces, observations, service] as const;
