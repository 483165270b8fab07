import { defineTool, type Tool, type ToolAnswer } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { describeFinding, type FieldFinding } from '../../privacy/field-finding.ts';
import { type Fields, text } from '../../verbs/field.ts';

const team = text("A team's name: in its space instead of your own", { max: 200 });

export const IN_TEAM = { team } satisfies Fields;
export const ONE_PACKET = {
  id: text('Packet id', { min: 1, max: 200, isRequired: true, isVerbatim: true }),
  team,
} satisfies Fields;

export interface OnePacket {
  id: string;
}

/** A tool of the packet protocol: its failures are texts that begin with "error:". Where it lists `team`, it runs in that team's space. */
export function definePacketTool<Args extends object>(definition: Parameters<typeof defineTool<Args>>[0]): Tool {
  const tool = defineTool<Args & { team?: string }>({
    ...definition,
    async run(context, { team: name, ...args }) {
      const caller = name === undefined ? context.caller : await context.engine.enterTeam(context.caller, name);
      return definition.run({ ...context, caller }, args as Args);
    },
  });
  return {
    ...tool,
    async call(context, rawArguments) {
      try {
        return await tool.call(context, rawArguments);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === 'internal') throw error;
        return failure(error);
      }
    },
  };
}

export function failure({ code, message, hint, details }: EngineError): ToolAnswer {
  const said = cleanText(`error: ${message}${hint === undefined ? '' : `\n${hint}`}`);
  return { isError: true, text: said, structured: { error: { code, message, hint: hint ?? '', details } } };
}

export function refuseFindings(findings: readonly FieldFinding[]): ToolAnswer {
  const lines = findings.map((finding) => `  - ${describeFinding(finding)}`);
  const message = ['redaction failed: the packet was not saved', ...lines].join('\n');
  const hint = 'Take these out and save again. Only if the user says that others may read them: allow_unredacted=true.';
  const answer = failure(new EngineError('invalid_input', message, { hint }));
  return { ...answer, structured: { ...answer.structured, findings } };
}
