import type { ToolAnswer } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { describeFinding, type PacketFinding } from '../../model/packet-record.ts';
import { failure } from './define-packet-tool.ts';

export function refuseFindings(findings: readonly PacketFinding[]): ToolAnswer {
  const lines = findings.map((finding) => `  - ${describeFinding(finding)}`);
  const message = ['redaction failed: the packet was not saved', ...lines].join('\n');
  const hint = 'Take these out and save again. Only if the user says that others may read them: allow_unredacted=true.';
  const answer = failure(new EngineError('invalid_input', message, { hint }));
  return { ...answer, structured: { ...answer.structured, findings } };
}
