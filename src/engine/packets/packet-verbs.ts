import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type {
  PacketChain,
  PacketPublication,
  PacketSummary,
  SavePacketOutcome,
  StoredPacket,
} from '../../model/packet-record.ts';
import type { Page } from '../../model/page.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { ListPacketsInput, Search } from './find-packet.ts';
import { toStoredPacket } from './packet-kind.ts';
import type { SavePacketInput } from './save-packet.ts';

/** What can be done with packets. All but `readPublicPacket` act for a caller, in the caller's space; `enterTeam` makes a team's space that. */
export interface PacketVerbs {
  savePacket(caller: Caller, input: SavePacketInput): Promise<SavePacketOutcome>;
  getPacket(caller: Caller, id: string): Promise<StoredPacket>;
  listPackets(caller: Caller, input: ListPacketsInput): Promise<Page<PacketSummary>>;
  deletePacket(caller: Caller, id: string): Promise<void>;
  publishPacket(caller: Caller, id: string): Promise<PacketPublication>;
  unpublishPacket(caller: Caller, id: string): Promise<boolean>;
  listAncestors(caller: Caller, id: string): Promise<PacketChain>;
  readPublicPacket(slug: string): Promise<StoredPacket | null>;
  /** Throws not_found for a team that does not exist or that the caller is not in. */
  enterTeam(caller: Caller, team: string): Promise<Caller>;
  /** Where this server is reached, without a slash at the end; null where nobody has said. */
  publicUrl(): string | null;
}

export function createPacketVerbs(parts: EngineParts, find: Search): PacketVerbs {
  const reading = () => import('./find-packet.ts');
  const writing = () => import('./save-packet.ts');
  return {
    savePacket: async (caller, input) => (await writing()).savePacket(parts, caller, input),
    getPacket: async (caller, id) => toStoredPacket(await (await reading()).needPacket(parts, caller, id)),
    listPackets: async (caller, input) => (await reading()).listPackets(parts, caller, { ...input, find }),
    deletePacket: async (caller, id) => (await writing()).deletePacket(parts, caller, id),
    publishPacket: async (caller, id) => (await writing()).publishPacket(parts, caller, id),
    unpublishPacket: async (caller, id) => (await writing()).unpublishPacket(parts, caller, id),
    listAncestors: async (caller, id) => (await reading()).listAncestors(parts, caller, id),
    readPublicPacket: async (slug) => (await writing()).readPublicPacket(parts, slug),
    enterTeam: (caller, team) => enterTeam(parts, caller, team),
    publicUrl: () => parts.settings.publicUrl ?? null,
  };
}

/** The caller as a member of one team, seeing its space alone. A team that the caller is not in and one that does not exist look the same. */
async function enterTeam({ sharing }: EngineParts, caller: Caller, team: string): Promise<Caller> {
  const found = (await sharing?.findTeam({ name: team.trim() })) ?? (await sharing?.findTeam({ id: team })) ?? null;
  if (found === null || !caller.roles.has(found.id) || !caller.spaces.includes(found.id)) {
    throw new EngineError('not_found', 'team not found', { hint: '`ltm teams ls` shows the teams you are in.' });
  }
  return { ...caller, space: found.id, spaces: [found.id] };
}
