import type { ToolContext } from '../../mcp/tool.ts';
import type { Caller } from '../../model/caller.ts';
import { type Fields, text } from '../../verbs/field.ts';

const team = text("A team's name: in its space instead of your own", { max: 200 });

export const IN_TEAM = { team } satisfies Fields;
export const ONE_PACKET = {
  id: text('Packet id', { min: 1, max: 200, isRequired: true, isVerbatim: true }),
  team,
} satisfies Fields;

export interface InTeam {
  team?: string;
}
export interface OnePacket extends InTeam {
  id: string;
}

export async function whereOf({ engine, caller }: ToolContext, name: string | undefined): Promise<Caller> {
  return name === undefined ? caller : engine.enterTeam(caller, name);
}
