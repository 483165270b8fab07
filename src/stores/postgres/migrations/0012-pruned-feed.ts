/** Up to which number the feed is no longer kept. */
export const prunedFeed = 'ALTER TABLE feed_heads ADD COLUMN pruned bigint NOT NULL DEFAULT 0;';
