import { ANALYTICS_ROUTES } from './analytics-routes.ts';
import { BACKUP_ROUTES } from './backup-routes.ts';
import { CONFIG_ROUTES } from './config-routes.ts';
import { CONSOLIDATION_ROUTES } from './consolidation-routes.ts';
import { DOCUMENT_ROUTES } from './document-routes.ts';
import { GRAPH_ROUTES } from './graph-routes.ts';
import { HARVEST_ROUTES } from './harvest-route.ts';
import { MANAGE_ROUTES } from './manage-routes.ts';
import { MEMORY_ROUTES } from './memory-routes.ts';
import { PROMISED_ROUTES } from './promised-routes.ts';
import { QUALITY_ROUTES } from './quality-routes.ts';
import { RESONANCE_ROUTES } from './resonance-route.ts';
import { SEARCH_ROUTES } from './search-routes.ts';
import type { ServiceRoute } from './service-route.ts';
import { STATE_ROUTES } from './state-routes.ts';
import { SYNC_ROUTES } from './sync-routes.ts';

/** Everything below `/api` that is not below `/api/v1`. Of two that fit, the first answers. */
export const SERVICE_ROUTES: readonly ServiceRoute[] = [
  ...SEARCH_ROUTES,
  ...RESONANCE_ROUTES,
  ...PROMISED_ROUTES,
  ...MEMORY_ROUTES,
  ...CONSOLIDATION_ROUTES,
  ...MANAGE_ROUTES,
  ...ANALYTICS_ROUTES,
  ...DOCUMENT_ROUTES,
  ...GRAPH_ROUTES,
  ...HARVEST_ROUTES,
  ...QUALITY_ROUTES,
  ...BACKUP_ROUTES,
  ...STATE_ROUTES,
  ...CONFIG_ROUTES,
  ...SYNC_ROUTES,
];
