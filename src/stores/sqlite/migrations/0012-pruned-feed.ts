/** Up to which number the feed is no longer kept. */
export const prunedFeed = 'ALTER TABLE feed_heads ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;';
