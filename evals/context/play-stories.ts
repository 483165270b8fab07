import { type Random, shuffled } from '../../src/features/evaluation/seeded-random.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { SessionEvent, SessionEventName } from '../../src/model/session-event.ts';
import type { Story } from './story.ts';

/** What agents do all the time and nobody asks about later. */
const NOISE: readonly (readonly [name: string, input: JsonObject, output: string])[] = [
  ['Bash', { command: 'git status' }, 'On branch main\nnothing to commit'],
  ['Bash', { command: 'ls -la' }, 'total 48\nREADME.md\npackage.json'],
  ['Grep', { pattern: 'TODO', path: '.' }, 'src/a.ts:3: // TODO'],
  ['Read', { file_path: 'package.json' }, '{"name":"shop"}'],
  ['Read', { file_path: 'README.md' }, '# Shop'],
  ['Glob', { pattern: '**/*.test.ts' }, 'a.test.ts'],
  ['Bash', { command: 'npm run lint' }, 'Checked 120 files'],
  ['Bash', { command: 'git diff --stat' }, '2 files changed'],
  ['Edit', { file_path: 'CHANGELOG.md', old_string: '# Changes', new_string: '# Changes\n- more' }, 'ok'],
  [
    'Edit',
    { file_path: 'src/index.ts', old_string: "export * from './a.ts';", new_string: "export * from './b.ts';" },
    'ok',
  ],
  ['Bash', { command: 'npm run build' }, 'built in 3 s'],
  ['Read', { file_path: 'src/config.ts' }, 'export const port = 3000;'],
];

const HOUR = 3_600_000;

/** The events of one session, an hour after the one before it. */
export function playStory(
  story: Story,
  { session, startedAt, random }: { session: string; startedAt: number; random: Random },
): SessionEvent[] {
  const events: SessionEvent[] = [];
  const add = (event: SessionEventName, more: Partial<SessionEvent> = {}) => {
    const at = startedAt + events.length * 20_000;
    const where = { agent: 'claude-code', session, project: 'shop', directory: '/work/shop' };
    events.push({ key: `${session}:${events.length}`, event, at, ...where, ...more });
  };
  const use = (name: string, input: JsonObject, output: string) => add('tool', { tool: { name, input, output } });
  const wander = (count: number) => {
    for (const [name, input, output] of shuffled(NOISE, random).slice(0, count)) use(name, input, output);
  };
  add('start');
  add('prompt', { text: story.asked });
  if (story.remembered !== undefined) add('prompt', { text: story.remembered });
  wander(6);
  use('Read', { file_path: `/work/shop/${story.file}` }, 'code');
  const { bug } = story;
  if (bug === undefined)
    use(
      'Edit',
      { file_path: `/work/shop/${story.file}`, old_string: 'begin', new_string: `begin\n  run(${session.length});` },
      'ok',
    );
  else {
    use('Bash', { command: bug.command }, bug.fails);
    wander(2);
    use('Edit', { file_path: `/work/shop/${story.file}`, old_string: bug.fix[0], new_string: bug.fix[1] }, 'ok');
    use('Bash', { command: bug.command }, bug.passes);
  }
  for (const [i, text] of story.replies.entries()) {
    wander(4);
    add('turn', { text });
    if (i < story.replies.length - 1) add('prompt', { text: i % 2 === 0 ? 'ok, go on' : 'and the rest?' });
  }
  add('end');
  return events;
}

export const SESSION_MS = HOUR;
