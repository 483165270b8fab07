import { inGroup } from '../../verbs/in-group.ts';
import {
  digestRecords,
  greetReplica,
  keepLink,
  listLinks,
  listSyncConflicts,
  pullRecords,
  pushRecords,
  renewReplica,
} from './verbs/exchange-replicas.ts';
import {
  describeRecords,
  digestSealed,
  dropUploads,
  keepKeyring,
  listSlots,
  pullUploads,
  pushUploads,
  readKeyrings,
  tellRecords,
} from './verbs/exchange-sealed.ts';

export const VERBS = inGroup('Sync', {
  greetReplica,
  digestRecords,
  pullRecords,
  pushRecords,
  listSyncConflicts,
  readKeyrings,
  keepKeyring,
  pullUploads,
  pushUploads,
  dropUploads,
  digestSealed,
  listSlots,
  listLinks,
  keepLink,
  renewReplica,
  describeRecords,
  tellRecords,
});
