import { TRUST_TIERS } from '../../../model/record.ts';
import { choice, cursor, integer, text } from '../../../verbs/field.ts';
import { TEAM } from '../../../verbs/team-flag.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { ListPacketsInput } from '../find-packet.ts';
import type { PacketSummary } from '../packet-record.ts';

/** What every server of packets tells of each. */
export type ListedPacket = Pick<PacketSummary, 'id' | 'createdAt' | 'goal'>;

export interface ListedPackets {
  packets: ListedPacket[];
  cursor: string | null;
  /** Left out because they are damaged. */
  damaged?: readonly string[];
}

export const listPackets = defineVerb<ListPacketsInput, ListedPackets>({
  needs: 'read',
  input: {
    limit: integer(1, 500, 'Maximum number of packets; 50 by default, at most 500.'),
    search: text('Only packets about this, best match first.'),
    tag: text('Only packets with this tag.'),
    project: text('Only this project.'),
    min_trust: choice(TRUST_TIERS, 'Minimum trust tier.'),
    cursor: { ...cursor, about: 'Continue from the cursor of an earlier result.' },
  },
  async run({ engine, caller }, input) {
    const { items, cursor: next, damaged } = await engine.listPackets(caller, input);
    const packets = items.map(({ id, createdAt, goal }) => ({ id, createdAt, goal }));
    return { packets, cursor: next, ...(damaged !== undefined && { damaged }) };
  },
  command: {
    name: 'ls',
    summary: 'List packets, most recently received first',
    usage: '',
    flags: [['limit', 'n'], ['search', 's'], 'tag', ['project', 'p'], 'min_trust', 'cursor'],
    own: [TEAM],
    maxWords: 0,
    examples: ['ltm ls', 'ltm ls --team crew --search "flaky login"', 'ltm ls --project web --json'],
  },
});
