import { inGroup } from '../../verbs/in-group.ts';
import { countObserved } from './verbs/count-observed.ts';
import { exportObservations } from './verbs/export-observations.ts';
import { forgetObservations } from './verbs/forget-observations.ts';
import { getContext } from './verbs/get-context.ts';
import { getTimeline } from './verbs/get-timeline.ts';
import { listSessions } from './verbs/list-sessions.ts';
import { getObservations, getSurroundings, listObservations } from './verbs/read-observations.ts';
import { recordEvents } from './verbs/record-events.ts';

export const VERBS = inGroup('Sessions', {
  recordEvents,
  listSessions,
  listObservations,
  getObservations,
  getSurroundings,
  countObserved,
  exportObservations,
  forgetObservations,
  getTimeline,
  getContext,
});
