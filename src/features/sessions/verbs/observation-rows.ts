import { defined } from '../../../model/defined.ts';
import { toIso } from '../../../model/instant.ts';
import type { AgentSession, Observation } from '../observation.ts';

/** An observation in the columns that programs of the observation server know, and what it has besides. */
export function toObservationRow(observation: Observation, { isRaw }: { isRaw: boolean }): Record<string, unknown> {
  const { number, id, session, tool, type, title, summary, files, concepts, prompt, at } = observation;
  const { project, agent, failed, screened, trust, input, output, text } = observation;
  return defined({
    id: number,
    record_id: id,
    session_id: session,
    project,
    agent,
    tool_name: nameTool(observation),
    title,
    compressed_summary: summary,
    observation_type: type,
    files_referenced: files,
    concepts,
    prompt_number: prompt,
    failed: failed || undefined,
    trust,
    created_at: toIso(at),
    redaction_meta: screened.length === 0 ? undefined : { replaced: screened },
    ...(isRaw && { tool_input: tool === null ? undefined : input, tool_output: tool === null ? text : output }),
  });
}

/** What stands where a tool's name is expected. */
export function nameTool({ tool, type }: Pick<Observation, 'tool' | 'type'>): string {
  return tool ?? type;
}

export function toSessionRow(session: AgentSession): Record<string, unknown> {
  const { id, agent, project, directory, firstPrompt, startedAt, lastAt, endedAt, counts, digest } = session;
  return {
    id,
    session_id: session.session,
    opencode_session_id: session.session,
    agent,
    project,
    directory,
    first_user_prompt: firstPrompt,
    status: endedAt === null ? 'active' : 'completed',
    created_at: toIso(startedAt),
    updated_at: toIso(lastAt),
    ended_at: endedAt === null ? null : toIso(endedAt),
    counts,
    digest,
  };
}
