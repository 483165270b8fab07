import type { CommandLine } from '../../cli/command.ts';
import { TEAM } from '../../verbs/team-flag.ts';

const TAG = { name: 'tag', value: 'TAG', many: true, description: 'A tag for the documents; may be repeated.' };

const PROJECT = { name: 'project', short: 'p', value: 'NAME', description: 'The project the documents belong to.' };

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'ingest',
    summary: 'Take in documents: files, folders and, where allowed, web pages',
    usage: 'PATH…',
    about:
      'Reads Markdown, text, PDF, DOCX, ODT, PPTX, XLSX, HTML, CSV, JSON and source code, so that searches find their sections with heading, page and line. Doing it again writes only what has changed. Of folders, hidden files, node_modules and whatever .gitignore or .ltmignore names are left out; every file that is passed over is named in the report. The text is marked untrusted, since it comes from outside. A URL needs the setting ingest_urls. See docs/documents.md.',
    flags: [
      TAG,
      PROJECT,
      { name: 'type', value: 'TYPE', description: 'The type of the documents (default: document).' },
      { name: 'title', value: 'TEXT', description: 'The title, if there is one file.' },
      {
        name: 'trust',
        value: 'TIER',
        choices: ['untrusted', 'agent', 'user'],
        description: 'The trust tier (default: untrusted).',
      },
      {
        name: 'ext',
        short: 'e',
        value: 'EXT',
        many: true,
        description: 'Of folders, only files with this ending; may be repeated.',
      },
      { name: 'no-recursive', description: 'Of folders, only the files directly in them.' },
      { name: 'max-files', value: 'N', description: 'Read at most so many files.' },
      { name: 'section-chars', value: 'N', description: 'Maximum length of a section (default: 3600).' },
      {
        name: 'overlap-chars',
        value: 'N',
        description: 'How much of its end the next piece of a cut section repeats.',
      },
      { name: 'prune', description: 'Remove documents of these folders whose files are gone.' },
      { name: 'watch', short: 'w', description: 'Go on, and take in whatever changes, until Ctrl-C.' },
      { name: 'dry-run', description: 'Only report what would be done.' },
      { name: 'no-redact', description: 'Store secrets as they are instead of replacing them.' },
      TEAM,
    ],
    examples: [
      'ltm ingest report.pdf',
      'ltm ingest docs --project shop --tag manual',
      'ltm ingest ~/notes --watch',
      'ltm ingest . --ext md --dry-run --json',
    ],
    load: async () => (await import('./terminal/ingest.ts')).ingest,
  },
  {
    name: 'documents',
    summary: 'List, show, remove and restore documents',
    usage: '[list] | show REF | remove [REF…] | restore REF',
    about: 'REF is an id, a path, a URL or the name of an upload. A document is removed with all its sections.',
    flags: [
      TAG,
      { ...PROJECT, description: 'Only documents of this project.' },
      { name: 'limit', short: 'n', value: 'N', description: 'How many to list, or how many sections to show.' },
      { name: 'cursor', value: 'TEXT', description: 'The cursor of the previous page.' },
      { name: 'dry-run', description: 'Only report what would be removed.' },
      TEAM,
    ],
    maxWords: Number.POSITIVE_INFINITY,
    examples: ['ltm documents', 'ltm documents show report.pdf', 'ltm documents remove --tag manual --dry-run'],
    load: async () => (await import('./terminal/documents.ts')).documents,
  },
];
