import { EngineError } from '../../model/errors.ts';
import { type Accounts, type Asker, OPERATOR } from '../accounts.ts';
import type { AccountPorts } from './account-ports.ts';
import { demandOperator } from './account-rights.ts';
import { needTeam } from './need-team.ts';

const USUAL_LIMIT = 50;
const MAX_LIMIT = 500;

/** The operator reads everything; the admins of a team what concerns it. */
export function createAuditVerbs(ports: AccountPorts): Pick<Accounts, 'listAudit'> {
  return {
    async listAudit(asker, { team, cursor, limit = USUAL_LIMIT } = {}) {
      const teamId = team === undefined ? undefined : await teamOf(ports, asker, team);
      if (teamId === undefined) demandOperator(asker, 'read the audit log of the server');
      const beforeSeq = cursor === undefined ? undefined : readCursor(cursor);
      const most = Math.min(MAX_LIMIT, Math.max(1, limit));
      const found = await ports.identity.listAudit({ limit: most + 1, teamId, beforeSeq });
      const items = found.slice(0, most);
      return { items, cursor: found.length > most ? String(items.at(-1)!.seq) : null };
    },
  };
}

async function teamOf(ports: AccountPorts, asker: Asker, name: string): Promise<string> {
  if (asker !== OPERATOR) return (await needTeam(ports, asker, { name, action: 'manage_members' })).teamId;
  const team = (await ports.identity.findTeam({ name })) ?? (await ports.identity.findTeam({ id: name }));
  if (team === null) throw new EngineError('not_found', 'team not found');
  return team.id;
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new EngineError('invalid_cursor', 'The cursor is not one that an earlier answer gave.', {
    hint: 'Begin again without a cursor.',
  });
}
