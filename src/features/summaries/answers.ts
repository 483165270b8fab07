import { z } from 'zod';
import { type Answers, count, counts, text } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

export const ANSWERS: Answers = {
  listSpend: fields({
    days: list(
      fields({ day: text, model: text, ...counts('calls', 'input_tokens', 'output_tokens', 'summarized', 'failed') }),
    ),
    model: text.nullable().describe('The model that is asked; null if none is set.'),
    daily_calls: count.describe('Maximum number of calls per day; 0 means unlimited.'),
    calls_today: count,
  }),
};
