import type { ScrubOptions, ScrubReport } from '../../../engine/maintenance/scrub-records.ts';
import { flag } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';

export const scrubRecords = defineVerb<ScrubOptions, ScrubReport>({
  needs: 'admin',
  handed: ['onProgress'],
  input: {
    apply: flag('Replace the secrets. Otherwise they are only reported.'),
    all: flag('Also where a person wanted the secret stored (no_redact).'),
  },
  run: ({ engine, caller }, input) => engine.scrubRecords(caller, input),
  rest: {
    at: 'POST /scrub',
    summary: 'Find secrets in what is stored, and replace them',
    example: { body: { apply: false } },
    answers: { 200: 'What was found and where, never the secrets themselves.' },
  },
  command: {
    name: 'scrub',
    summary: 'Find secrets in what is stored, and replace them',
    usage: '',
    about:
      'Looks through all records, the lines of transcripts, earlier versions and what was deleted, and shows where secrets are. With --yes it replaces them by markers such as [redacted:aws-key], and removes the old text from the database file, its log and the search index; tables of PostgreSQL are written anew. This cannot be undone. See docs/privacy.md.',
    flags: ['all'],
    own: [{ name: 'yes', short: 'y', description: 'Replace them without asking.' }],
    maxWords: 0,
    examples: ['ltm scrub', 'ltm scrub --yes', 'ltm scrub --json'],
  },
});
