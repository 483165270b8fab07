import { lateFunctions } from '../../model/late.ts';
import type { FieldFinding } from '../../privacy/field-finding.ts';

const { checkFields } = lateFunctions(() => import('../../privacy/check-fields.ts'), 'checkFields');
const { refuseFindings } = lateFunctions(() => import('./define-packet-tool.ts'), 'refuseFindings');
const { inspectPacket } = lateFunctions(() => import('./packet-forms.ts'), 'inspectPacket');

/** The tools that hand a packet over. */
const WRITERS: readonly unknown[] = ['save', 'push'];

/** For messages on their way to a server: what `save` and `push` say to a packet with a secret in it, said here, before it is sent. null for all other messages. */
export async function refuseSecretsInCall(message: unknown): Promise<object | null> {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { name?: unknown; arguments?: { packet?: unknown; allow_unredacted?: unknown } | null };
  };
  if (method !== 'tools/call' || !WRITERS.includes(params?.name)) return null;
  const { packet, allow_unredacted } = params?.arguments ?? {};
  if (allow_unredacted === true || allow_unredacted === 'true') return null;
  const findings = await findIn(packet);
  if (findings.length === 0) return null;
  const { text, structured } = await refuseFindings(findings);
  return { content: [{ type: 'text', text }], structuredContent: structured, isError: true };
}

/** A packet may come as the text of its JSON. */
async function findIn(packet: unknown): Promise<readonly FieldFinding[]> {
  if (typeof packet !== 'string') return checkFields(packet);
  return (await inspectPacket(Buffer.from(packet), false)).findings;
}
