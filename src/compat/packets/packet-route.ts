import type { Invitations, TeamAccounts } from '../../auth/accounts.ts';
import type { Authenticate } from '../../auth/authenticate.ts';
import type { RequestLimit } from '../../auth/token-buckets.ts';
import type { Caller } from '../../model/caller.ts';
import type { RestPorts } from '../../rest/rest-env.ts';

/** What the packet API works with. */
export interface PacketPorts extends Pick<RestPorts, 'engine' | 'log' | 'urlOf'> {
  accounts: TeamAccounts & Invitations;
  authenticate: Authenticate;
  limit: RequestLimit;
  /** Where a client that was told 401 finds out how to sign in; null where there is no OAuth. */
  resourceMetadataUrl(request: Request): string | null;
}

export interface PacketCall<Who = Caller> extends PacketPorts {
  request: Request;
  caller: Who;
  /** The variable parts of the path, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

/** Answers with a Response, with an object that is told as JSON, or with nothing, which is a 204. */
type Handle<Who> = (call: PacketCall<Who>) => Promise<unknown>;
export type PacketHandler = Handle<Caller>;
export type OpenHandler = Handle<Caller | null>;

/** One line of the packet API. `optional`: a caller may prove who they are, and need not; whoever tries and fails is refused. `public`: nobody is asked. */
export type PacketRoute = {
  method: 'GET' | 'POST' | 'DELETE';
  /** `packets/{id}`, below /v1. */
  path: string;
  /** `?team=` makes that team's space the caller's. */
  inTeam?: true;
} & ({ access?: 'bearer'; handle: PacketHandler } | { access: 'optional' | 'public'; handle: OpenHandler });
