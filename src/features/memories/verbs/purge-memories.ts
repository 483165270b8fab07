import { isOperator } from '../../../auth/accounts/account-rights.ts';
import { EngineError } from '../../../model/errors.ts';
import type { RecordId } from '../../../model/ids.ts';
import { type Field, flag, label, ref } from '../../../verbs/field.ts';
import { TEAM } from '../../../verbs/team-flag.ts';
import { defineVerb, type HostContext } from '../../../verbs/verb.ts';
import type { PurgedMemories } from '../name-as-memories.ts';
import { refList, theOne } from './name-memories.ts';

export const purgeMemory = defineVerb<{ ref: string }, { purged: RecordId[] }>({
  needs: 'admin',
  input: { ref },
  async run({ engine, caller }, { ref: name }) {
    const { purged } = await engine.purgeMemories(caller, [name]);
    theOne(purged);
    return { purged };
  },
  rest: {
    at: 'POST /memories/{ref}/purge',
    summary: 'Remove a memory permanently, including its versions, vectors and index entries',
    answers: { 200: 'Gone.' },
  },
});

export interface PurgeInput {
  /** Instead of the others. */
  ids?: readonly string[];
  source?: string;
  session?: string;
  /** Instead of the others. */
  expired?: boolean;
  derived?: boolean;
  dryRun?: boolean;
}

const SOURCE =
  'Everything that comes from here, by what was recorded when it was stored: door:NAME (cli, mcp, rest, library, import), user:ID, client:NAME (with or without its version), host:NAME or agent:NAME; without the prefix, whatever has NAME as one of these.';

const ids: Field = { ...refList, isRequired: undefined, about: 'Ids, content hashes or keys, instead of the others.' };

/** Agents have no tool for it: what they delete can be restored. */
export const purgeMemories = defineVerb<PurgeInput, PurgedMemories, HostContext>({
  needs: 'admin',
  input: {
    ids,
    source: label(SOURCE),
    session: label('Everything of this session.'),
    expired: flag('Everything deleted longer ago than keep_deleted_days, even if the clock has jumped.'),
    derived: flag(
      'Also what was made from it: records that replaced one, say that they were derived from one, are composed of several, were read out of the session, or have an earlier version from the source.',
    ),
    dry_run: flag('Only show what would be purged.'),
  },
  async run({ engine, caller, asker }, { ids: refs = [], source, session, expired, derived, dryRun }) {
    const ways = [refs.length > 0, source !== undefined || session !== undefined, expired === true];
    if (ways.filter(Boolean).length !== 1)
      throw new EngineError('invalid_input', 'Say what to purge in exactly one way.', {
        hint: 'Give ids; or source, session or both; or expired.',
        details: { field: 'ids' },
      });
    if (expired !== true) return engine.purge(caller, { refs, source, session, derived, dryRun });
    const everywhere = isOperator(asker) && caller.space === caller.userId;
    const done = await engine.purgeExpired(caller, { everywhere, dryRun });
    const none = { memories: [], purged: [], missing: [], derived: [], derivedCount: 0, relations: 0 };
    return { outcome: dryRun === true ? 'would_purge' : 'purged', ...done, ...none };
  },
  rest: {
    at: 'POST /memories/purge',
    summary:
      'Remove memories permanently, by id, source or session, or all that have expired, including versions, vectors and index entries',
    example: { body: { source: 'client:unknown-agent', dry_run: true } },
    answers: { 200: 'What was purged, or would be.' },
  },
  command: {
    name: 'purge',
    summary: 'Remove memories permanently',
    usage: '[REF… | --source SOURCE | --session SESSION | --expired]',
    about:
      'Removes records of every kind for good, deleted or not: their text, versions, vectors and relations, and their words in the index. Nothing undoes it, but exports and backups made earlier still have the text. What was made from it is named and stays, unless --derived is given or consolidation summarised it. --source and --session act in your own space, or in the team that --team names. --expired removes what was deleted longer ago than keep_deleted_days. That happens by itself, but not until a day after the clock has jumped; the command confirms that the clock is right. Shows what would go and asks; without a terminal, --yes is required.',
    flags: ['source', 'session', 'expired', 'derived', 'dry_run'],
    own: [TEAM, { name: 'yes', short: 'y', description: 'Do not ask.' }],
    examples: [
      'ltm purge 01k9x2m4q8b7c6d5e4f3',
      'ltm purge --source client:unknown-agent --dry-run',
      'ltm purge --source client:unknown-agent --derived',
      'ltm purge --session 2026-01-15-review --yes',
      'ltm purge --expired',
    ],
  },
});
