import { backups } from './backups/feature.ts';
import { consolidation } from './consolidation/feature.ts';
import { documents } from './documents/feature.ts';
import { evaluation } from './evaluation/feature.ts';
import { graph } from './graph/feature.ts';
import { harvest } from './harvest/feature.ts';
import { history } from './history/feature.ts';
import { maintenance } from './maintenance/feature.ts';
import { memories } from './memories/feature.ts';
import { packets } from './packets/feature.ts';
import { people } from './people/feature.ts';
import { quality } from './quality/feature.ts';
import { sessions } from './sessions/feature.ts';
import { setup } from './setup/feature.ts';
import { summaries } from './summaries/feature.ts';
import { sync } from './sync/feature.ts';
import { transfer } from './transfer/feature.ts';
import { truth } from './truth/feature.ts';
import { workspaces } from './workspaces/feature.ts';

/** Every feature that the program has, one line each. */
export const FEATURES = [
  memories,
  packets,
  sessions,
  summaries,
  workspaces,
  consolidation,
  documents,
  graph,
  quality,
  history,
  truth,
  transfer,
  sync,
  maintenance,
  people,
  evaluation,
  harvest,
  setup,
  backups,
] as const;
