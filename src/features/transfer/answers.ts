import { z } from 'zod';
import { type Answers, count, counts, text, texts } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

export const ANSWERS: Answers = {
  importRecords: fields({
    ...counts('records', 'unchanged', 'updated'),
    rejected: count.describe('Left out, or deleted again, because somebody has rejected the text.'),
    conflicts: texts,
    redacted: texts.describe('Records in which secrets were found, and where.'),
    ...counts('versions', 'relations'),
    problems: list(fields({ line: count, message: text })),
    skipped: list(fields({ line: count, message: text })).describe('Lines that were left out (skip_damaged).'),
    lacking: texts.describe('What the file says that it lacks, because it was damaged where it was written.'),
  }),
};
