/** The last of the numbers that a space has given to records people name by number; none is given twice. */
export const numbers = 'ALTER TABLE feed_heads ADD COLUMN numbered bigint NOT NULL DEFAULT 0;';
