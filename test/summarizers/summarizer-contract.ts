import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SUMMARY_TYPES } from '../../src/features/summaries/read-summary.ts';
import type { Summarizer } from '../../src/features/summaries/summarizer-port.ts';

/** A summarizer and the service behind it, which behaves as the test says and then well. */
export interface SummarizerSetUp {
  summarizer: Summarizer;
  /** The next answers are of this sort. */
  misbehave(...how: ('nonsense' | 'down' | 'refuse')[]): void;
  /** How often the service was asked. */
  asked(): number;
}

const STEP = { tool: 'Edit', input: '{"file_path":"src/a.ts"}', output: 'ok' };

/** The behaviour every summarizer must show. */
export function runSummarizerContract(name: string, setUp: () => Promise<SummarizerSetUp>): void {
  const using = async (work: (one: SummarizerSetUp) => Promise<void>) => {
    const one = await setUp();
    try {
      await work(one);
    } finally {
      await one.summarizer.close();
    }
  };

  describe(`${name} as a summarizer`, () => {
    test('asks nobody before it has a text', () => using(async ({ asked }) => assert.equal(asked(), 0)));

    test('names its model and gives a short summary of a known type, with what it cost', () =>
      using(async ({ summarizer }) => {
        assert.notEqual(summarizer.id, '');
        const done = await summarizer.summarize(STEP);
        assert.ok(done.outcome === 'summarized');
        const { summary, type, files, concepts } = done.summary;
        assert.ok(summary.length > 0 && summary.length <= 120 && !summary.includes('\n'));
        assert.ok(SUMMARY_TYPES.includes(type));
        assert.ok(files.length <= 5 && concepts.length <= 5);
        assert.ok(done.spent.calls >= 1 && done.spent.inputTokens >= 0);
      }));

    test('tries again after an answer that is none, and counts each call', () =>
      using(async ({ summarizer, misbehave, asked }) => {
        misbehave('nonsense', 'down');
        const done = await summarizer.summarize(STEP);
        assert.equal(done.outcome, 'summarized');
        assert.deepEqual([done.spent.calls, asked()], [3, 3]);
      }));

    test('makes no more calls for one text than it says', () =>
      using(async ({ summarizer, misbehave, asked }) => {
        misbehave(...Array.from({ length: 20 }, () => 'down' as const));
        const done = await summarizer.summarize(STEP);
        assert.equal(done.outcome, 'failed');
        assert.equal(asked(), summarizer.maxCalls);
      }));

    test('leaves a service that fails again and again, or refuses, in peace', () =>
      using(async ({ summarizer, misbehave, asked }) => {
        assert.equal(summarizer.isLeftInPeace, false);
        misbehave('refuse');
        assert.equal((await summarizer.summarize(STEP)).outcome, 'failed');
        assert.deepEqual([asked(), summarizer.free, summarizer.isLeftInPeace], [1, 0, true]);
        assert.equal((await summarizer.summarize(STEP)).outcome, 'failed');
        assert.equal(asked(), 1);
      }));

    test('is asked nothing any more once it is closed', () =>
      using(async ({ summarizer, asked }) => {
        await summarizer.close();
        assert.deepEqual([summarizer.free, (await summarizer.summarize(STEP)).outcome, asked()], [0, 'failed', 0]);
      }));
  });
}
