import { describe } from 'node:test';
import { promiseAudit } from './contract/audit.ts';
import { promiseChunks } from './contract/chunks.ts';
import { promiseCommits } from './contract/commits.ts';
import { promiseCounts } from './contract/counts.ts';
import { promiseFeedAndIndex } from './contract/feed-and-index.ts';
import { promiseIdentity } from './contract/identity.ts';
import { promiseLifecycle } from './contract/lifecycle.ts';
import { promiseListing } from './contract/listing.ts';
import { promiseNumbers } from './contract/numbers.ts';
import { promiseOAuth } from './contract/oauth.ts';
import { promiseRemovals } from './contract/removals.ts';
import { promiseReplicas } from './contract/replicas.ts';
import { promiseSealed } from './contract/sealed.ts';
import { promiseSegments } from './contract/segments.ts';
import { type MakeStore, promisesOf } from './contract/store-under-test.ts';
import { promiseTeams } from './contract/teams.ts';
import { promiseTravel } from './contract/travel.ts';
import { promiseUpkeep } from './contract/upkeep.ts';
import { promiseWatch } from './contract/watch.ts';

/** What every store must show, whatever database it stands on; each adapter runs all of it. */
export function runStoreContract(name: string, makeStore: MakeStore): void {
  const promise = promisesOf(makeStore);
  describe(`${name} keeps the store's contract: commits`, () => promiseCommits(promise));
  describe(`${name} keeps the store's contract: deletion, restore, purge, import, relations, receipts`, () =>
    promiseLifecycle(promise));
  describe(`${name} keeps the store's contract: generations, dots, graves`, () => promiseReplicas(promise));
  describe(`${name} keeps the store's contract: exchange with other replicas`, () => promiseTravel(promise));
  describe(`${name} keeps the store's contract: numbers`, () => promiseNumbers(promise));
  describe(`${name} keeps the store's contract: feed and index`, () => promiseFeedAndIndex(promise));
  describe(`${name} keeps the store's contract: segments`, () => promiseSegments(promise));
  describe(`${name} keeps the store's contract: pieces of transcripts`, () => promiseChunks(promise));
  describe(`${name} keeps the store's contract: what is sealed`, () => promiseSealed(promise));
  describe(`${name} keeps the store's contract: listing`, () => promiseListing(promise));
  describe(`${name} keeps the store's contract: counts`, () => promiseCounts(promise));
  describe(`${name} keeps the store's contract: upkeep`, () => promiseUpkeep(promise));
  describe(`${name} keeps the store's contract: watching`, () => promiseWatch(promise));
  describe(`${name} keeps the store's contract: people and tokens`, () => promiseIdentity(promise));
  describe(`${name} keeps the store's contract: teams and invites`, () => promiseTeams(promise));
  describe(`${name} keeps the store's contract: removals`, () => promiseRemovals(promise));
  describe(`${name} keeps the store's contract: audit log`, () => promiseAudit(promise));
  describe(`${name} keeps the store's contract: OAuth`, () => promiseOAuth(promise));
}
