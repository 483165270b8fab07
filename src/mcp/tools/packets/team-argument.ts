import * as z from 'zod';
import type { Caller } from '../../../model/caller.ts';
import type { ToolContext } from '../../tool.ts';

export const teamArgument = z.string().max(200).optional().describe("A team's name: in its space instead of your own");
export const idArgument = z.string().min(1).max(200).describe('Packet id');

export async function whereOf({ engine, caller }: ToolContext, team: string | undefined): Promise<Caller> {
  return team === undefined || team === '' ? caller : engine.enterTeam(caller, team);
}
