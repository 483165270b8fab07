/** A passage that is a piece of its record's content says where it lies instead of repeating it (in UTF-16 units; its text is empty then). */
export const passagePlaces = 'ALTER TABLE passages ADD COLUMN starts_at bigint, ADD COLUMN ends_at bigint;';
