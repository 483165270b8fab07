import { inGroup } from '../../verbs/in-group.ts';
import { countObserved } from '../../verbs/sessions/count-observed.ts';
import { exportObservations } from '../../verbs/sessions/export-observations.ts';
import { forgetObservations } from '../../verbs/sessions/forget-observations.ts';
import { getContext } from '../../verbs/sessions/get-context.ts';
import { getTimeline } from '../../verbs/sessions/get-timeline.ts';
import { listSessions } from '../../verbs/sessions/list-sessions.ts';
import { getObservations, getSurroundings, listObservations } from '../../verbs/sessions/read-observations.ts';
import { recordEvents } from '../../verbs/sessions/record-events.ts';

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
