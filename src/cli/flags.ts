import { KIND_NAMES, TRUST_TIERS } from '../model/record.ts';
import type { Flag } from './command.ts';

/** Understood by every command, before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: 'db', value: 'FILE', description: 'The database to use.' },
  { name: 'config', value: 'FILE', description: 'The config file to use.' },
  { name: 'json', description: 'Print the result as JSON.' },
  { name: 'quiet', short: 'q', description: 'Print results and errors only.' },
  { name: 'help', short: 'h', description: 'Show how the command is used.' },
];

/** Which memories are meant: the same words for search, list, delete and export. */
export const FILTER_FLAGS: readonly Flag[] = [
  { name: 'type', short: 't', value: 'TYPE', many: true, description: 'Of this type; several types may be given.' },
  { name: 'tags', value: 'TAG,…', many: true, description: 'With one of these tags.' },
  { name: 'all-tags', description: 'With all of the tags instead of one of them.' },
  { name: 'project', short: 'p', value: 'NAME', description: 'Of this project.' },
  { name: 'agent', value: 'NAME', description: 'Written by this agent.' },
  { name: 'session', value: 'ID', description: 'Written in this session.' },
  { name: 'conversation', value: 'ID', description: 'Of this conversation.' },
  { name: 'after', value: 'TIME', description: 'Created at or after this time: a date, or words such as "yesterday".' },
  { name: 'before', value: 'TIME', description: 'Created before this time; of a day, to its end.' },
  { name: 'kind', value: 'KIND', many: true, choices: KIND_NAMES, description: 'Of this kind of record.' },
  { name: 'min-trust', value: 'TIER', choices: TRUST_TIERS, description: 'Trusted at least this much.' },
  { name: 'include-superseded', description: 'Also what a newer memory has replaced.' },
];

export const PAGE_FLAGS: readonly Flag[] = [
  { name: 'limit', short: 'n', value: 'N', description: 'How many to show.' },
  { name: 'cursor', value: 'CURSOR', description: 'Go on where an earlier answer stopped.' },
];
