import { defineTool, type ToolAnswer } from '../../mcp/tool.ts';
import type { ToolGroup } from '../../mcp/tool-table.ts';
import { EngineError } from '../../model/errors.ts';
import { toWire } from '../../model/wire.ts';
import { choice, type Fields, flag, text } from '../../verbs/field.ts';
import { CONSOLIDATION_STEPS, FORGET_MODES, type ForgetMode, HORIZONS, type Horizon } from './consolidation.ts';

interface ConsolidateArguments {
  action: string;
  horizon?: Horizon;
  time_horizon?: Horizon;
  dry_run?: boolean;
  forget?: ForgetMode;
  steps?: (typeof CONSOLIDATION_STEPS)[number][];
  run?: string;
  limit?: number;
}

const ACTIONS = ['run', 'status', 'recommend', 'pause', 'resume', 'undo'];

const LISTED: Fields = {
  action: { ...choice(ACTIONS), isRequired: true },
  horizon: choice(HORIZONS, 'run, recommend: which memories; pause, resume: only this one'),
  dry_run: flag('run: only say what would be done'),
  forget: choice(FORGET_MODES, 'run: what may be archived'),
  run: text('undo: id of a run; the last one if left out', { max: 40 }),
};

/** Memories as they age: summaries, quality by use, archiving. */
const consolidateTool = defineTool<ConsolidateArguments>({
  name: 'memory_consolidate',
  title: 'Consolidate memories',
  text: 'Summarise what belongs together, weigh memories by use and archive what is of no use. Every run can be undone as a whole.',
  action: 'read',
  writes: true,
  listed: LISTED,
  unlisted: {
    time_horizon: choice(HORIZONS),
    steps: { type: 'choices', choices: CONSOLIDATION_STEPS },
    limit: { type: 'integer', min: 1, max: 100_000 },
  },
  output: { message: 'string', run: 'string' },
  async run(
    { engine, caller },
    { action, time_horizon, horizon = time_horizon, run = 'last', dry_run: dryRun, ...rest },
  ) {
    switch (action) {
      case 'run': {
        const report = await engine.consolidate(caller, { ...rest, dryRun, horizon: need(horizon) });
        const { examined, summaries, associations, forgetting } = report;
        return tell(
          `${report.dryRun ? 'Would look' : 'Looked'} at ${examined} memories: ${summaries.clusters} summaries, ${associations.proposed} relations proposed, ${forgetting.archived} archived.`,
          report,
        );
      }
      case 'recommend': {
        const said = await engine.recommendConsolidation(caller, need(horizon));
        return tell(`${said.recommendation}: ${said.reasons.join(' ')}`, said);
      }
      case 'undo': {
        const undone = await engine.undoConsolidation(caller, run);
        return tell(`${undone.restored} restored, ${undone.removed} removed.`, undone);
      }
      case 'pause':
      case 'resume': {
        const meant = { ...(horizon !== undefined && { horizon }), isPaused: action === 'pause' };
        return tell(`Scheduled consolidation: ${action}d.`, await engine.pauseConsolidation(caller, meant));
      }
      default: {
        const status = await engine.readConsolidationStatus(caller);
        return tell(status.isScheduled ? 'Consolidation is scheduled.' : 'Nothing runs by itself.', status);
      }
    }
  },
});

interface CleanUpArguments {
  dry_run?: boolean;
  threshold?: number;
}

const cleanUpTool = defineTool<CleanUpArguments>({
  name: 'memory_cleanup',
  title: 'Clean up duplicates',
  text: 'Find memories that say the same, and merge them with dry_run: false. memory_consolidate undo takes it back.',
  action: 'read',
  writes: true,
  destructive: true,
  listed: {
    dry_run: flag('Default true: only show them'),
    threshold: { type: 'number', min: 0.85, max: 1, about: 'Similarity; default 0.95' },
  },
  output: { message: 'string', merged: 'number' },
  async run({ engine, caller }, { dry_run: dryRun, threshold }) {
    const cleaned = await engine.cleanUp(caller, { dryRun, threshold });
    const verb = cleaned.dryRun ? 'Would merge' : 'Merged';
    return tell(`${verb} ${cleaned.merged} of ${cleaned.examined} memories, in ${cleaned.groups} groups.`, cleaned);
  },
});

function need(horizon: Horizon | undefined): Horizon {
  if (horizon !== undefined) return horizon;
  throw new EngineError('invalid_input', `horizon is required: ${HORIZONS.join(', ')}.`, {
    details: { field: 'horizon' },
  });
}

function tell(message: string, out: object): ToolAnswer {
  return { structured: { message, ...(toWire(out) as Record<string, unknown>) } };
}

export const listTools = (): readonly ToolGroup[] => [{ family: 'upkeep', tools: [consolidateTool, cleanUpTool] }];
