import { TEXT } from './0001-foundation.ts';

/** Whose statement a record is. */
export const author = `ALTER TABLE records ADD COLUMN author ${TEXT};`;
