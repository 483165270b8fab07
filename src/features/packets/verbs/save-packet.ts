import { EngineError } from '../../../model/errors.ts';
import { type AllowUnredacted, describeFinding, type FieldFinding } from '../../../privacy/field-finding.ts';
import { TEAM } from '../../../verbs/team-flag.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import { WHERE } from './packet-input.ts';

export interface SavePacketInput {
  /** The bytes as they are: whoever keeps the packet reads them. */
  raw: Uint8Array<ArrayBuffer>;
  allowUnredacted?: AllowUnredacted;
}

/** The packet is stored, or the call fails and says why: what is wrong with it, or what must not be in it. */
export const savePacket = defineVerb<SavePacketInput, { id: string }>({
  needs: 'write',
  input: { raw: { type: 'any', isRequired: true }, allow_unredacted: { type: 'names' } },
  async run({ engine, caller }, input) {
    const outcome = await engine.savePacket(caller, input);
    if (outcome.outcome === 'invalid') throw new EngineError('invalid_input', outcome.message);
    if (outcome.outcome === 'unredacted') throw new EngineError('invalid_input', describeFindings(outcome.findings));
    return { id: outcome.id };
  },
  command: {
    name: 'push',
    summary: 'Send a packet from a file or stdin',
    usage: 'FILE | -',
    about: `Prints the packet's id. A packet of yours with the same id is replaced. ${WHERE}`,
    flags: [],
    own: [
      TEAM,
      {
        name: 'allow-unredacted',
        inline: 'FIELD/KIND,…',
        description:
          'Send it even though it seems to contain secrets or private paths: all findings, or only the ones named.',
      },
      {
        name: 'lenient',
        description: 'Leave validation to the server. The packet is still scanned for secrets.',
      },
    ],
    maxWords: 1,
    examples: [
      'ltm push packet.json',
      'ltm push - < packet.json',
      'ltm push packet.json --allow-unredacted=goal/abs-path',
    ],
  },
});

export function describeFindings(findings: readonly FieldFinding[]): string {
  return ['redaction failed', ...findings.map((finding) => `  - ${describeFinding(finding)}`)].join('\n');
}
