import { join } from 'node:path';
import type { Place } from '../../agents/agent.ts';
import { escapeXml, plistOf, quoteUnitWord } from './service-files.ts';

/** Something that ltm does now and then, without anybody asking. */
export interface Job {
  /** Letters and hyphens; the name of its files and of its task. */
  name: string;
  title: string;
  /** The program with its arguments. */
  words: readonly string[];
  env: Readonly<Record<string, string>>;
  when: { hour: number; minute: number } | { everyMinutes: number };
}

export const MANAGERS = ['systemd', 'launchd', 'task-scheduler', 'cron'] as const;
export type Manager = (typeof MANAGERS)[number];

/** What the machine's own scheduler is told. */
export interface Schedule {
  manager: Manager;
  files: readonly { path: string; content: string }[];
  /** Programs with their arguments, one after the other. */
  start: readonly (readonly string[])[];
  stop: readonly (readonly string[])[];
  /** For cron: the person's table with this job in it, or without it. */
  editTable: ((table: string, isWanted: boolean) => string) | null;
}

export function usualManager(platform: NodeJS.Platform, hasSystemd: boolean): Manager {
  if (platform === 'darwin') return 'launchd';
  if (platform === 'win32') return 'task-scheduler';
  return hasSystemd ? 'systemd' : 'cron';
}

export function describeSchedule(
  manager: Manager,
  job: Job,
  { place, dataFolder }: { place: Place; dataFolder: string },
): Schedule {
  if (manager === 'launchd') return launchd(job, place);
  if (manager === 'task-scheduler') return taskScheduler(job, dataFolder);
  return manager === 'systemd' ? systemd(job, place) : cron(job);
}

const MARK = 'Written by ltm.';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function systemd({ name, title, words, env, when }: Job, { env: outer, home }: Place): Schedule {
  const folder = join(outer.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user');
  const service = [
    `# ${MARK}`,
    '[Unit]',
    `Description=${title}`,
    '',
    '[Service]',
    'Type=oneshot',
    `ExecStart=${words.map(quoteUnitWord).join(' ')}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoteUnitWord(`${key}=${value}`)}`),
    'Nice=10',
    '',
  ];
  const timer = [
    `# ${MARK}`,
    '[Unit]',
    `Description=${title}, now and then`,
    '',
    '[Timer]',
    ...('hour' in when
      ? [`OnCalendar=*-*-* ${twoDigits(when.hour)}:${twoDigits(when.minute)}:00`, 'Persistent=true']
      : ['OnStartupSec=2min', `OnUnitActiveSec=${when.everyMinutes}min`]),
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ];
  const systemctl = (...rest: string[]): string[] => ['systemctl', '--user', ...rest];
  return {
    manager: 'systemd',
    files: [
      { path: join(folder, `${name}.service`), content: service.join('\n') },
      { path: join(folder, `${name}.timer`), content: timer.join('\n') },
    ],
    start: [systemctl('daemon-reload'), systemctl('enable', '--now', `${name}.timer`)],
    stop: [systemctl('disable', '--now', `${name}.timer`)],
    editTable: null,
  };
}

function launchd({ name, words, env, when }: Job, { home }: Place): Schedule {
  const label = name.replace('-', '.');
  const path = join(home, 'Library', 'LaunchAgents', `${label}.plist`);
  const interval =
    'hour' in when
      ? `  <key>StartCalendarInterval</key><dict><key>Hour</key><integer>${when.hour}</integer><key>Minute</key><integer>${when.minute}</integer></dict>`
      : `  <key>StartInterval</key><integer>${when.everyMinutes * 60}</integer>`;
  const domain = `gui/${process.getuid?.() ?? 501}`;
  return {
    manager: 'launchd',
    files: [{ path, content: plistOf({ label, words, env, more: [interval] }) }],
    start: [['launchctl', 'bootstrap', domain, path]],
    stop: [['launchctl', 'bootout', `${domain}/${label}`]],
    editTable: null,
  };
}

function taskScheduler({ name, title, words, when }: Job, dataFolder: string): Schedule {
  const path = join(dataFolder, 'setup', `${name}.xml`);
  const [command, ...rest] = words;
  const args = rest.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
  const start =
    'hour' in when ? `2026-01-01T${twoDigits(when.hour)}:${twoDigits(when.minute)}:00` : '2026-01-01T00:00:00';
  const trigger =
    'hour' in when
      ? `<CalendarTrigger><StartBoundary>${start}</StartBoundary><ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay></CalendarTrigger>`
      : `<TimeTrigger><StartBoundary>${start}</StartBoundary><Repetition><Interval>PT${when.everyMinutes}M</Interval></Repetition></TimeTrigger>`;
  const content = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- ${MARK} -->`,
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    `  <RegistrationInfo><Description>${escapeXml(title)}</Description></RegistrationInfo>`,
    `  <Triggers>${trigger}</Triggers>`,
    '  <Principals><Principal id="me"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal></Principals>',
    '  <Settings><MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy><StartWhenAvailable>true</StartWhenAvailable></Settings>',
    `  <Actions Context="me"><Exec><Command>${escapeXml(command!)}</Command><Arguments>${escapeXml(args)}</Arguments></Exec></Actions>`,
    '</Task>',
    '',
  ].join('\r\n');
  return {
    manager: 'task-scheduler',
    files: [{ path, content }],
    start: [['schtasks', '/Create', '/TN', name, '/XML', path, '/F']],
    stop: [['schtasks', '/Delete', '/TN', name, '/F']],
    editTable: null,
  };
}

/** A line of the person's own table, known by the comment at its end. */
function cron({ name, words, env, when }: Job): Schedule {
  const mark = `# ${name}: ${MARK}`;
  const quote = (word: string): string =>
    (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).replaceAll('%', '\\%');
  const settings = Object.entries(env).map(([key, value]) => `${key}=${quote(value)}`);
  const time = 'hour' in when ? `${when.minute} ${when.hour} * * *` : cronEvery(when.everyMinutes);
  const line = `${time} ${[...settings, ...words.map(quote)].join(' ')} >/dev/null 2>&1 ${mark}`;
  const editTable = (table: string, isWanted: boolean): string => {
    const kept = table.split('\n').filter((one) => one !== '' && !one.endsWith(mark));
    return [...kept, ...(isWanted ? [line] : []), ''].join('\n');
  };
  return { manager: 'cron', files: [], start: [], stop: [], editTable };
}

/** Cron counts within the hour or the day. */
function cronEvery(minutes: number): string {
  if (minutes < 60) return `*/${minutes} * * * *`;
  const hours = Math.min(24, Math.round(minutes / 60));
  return hours >= 24 ? '0 0 * * *' : `0 */${hours} * * *`;
}
