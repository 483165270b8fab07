import { join } from 'node:path';
import type { Agent, Place, Wiring } from '../../agents/agent.ts';
import { OWN_MARK, ownFile } from '../../agents/edits/file-edit.ts';
import { escapeXml, plistOf, quoteUnitWord } from './service-files.ts';

const NAME = 'ltm';
const LABEL = 'ltm.serve';

/** What a machine's own service manager is told. */
export interface Service {
  /** Its file, as one more line of the table: planned, written and undone like those of agents. */
  agent: Agent;
  /** Programs with their arguments, one after the other. */
  start: readonly (readonly string[])[];
  stop: readonly (readonly string[])[];
  /** Ends with 0 while the service runs. */
  check: readonly string[];
  /** What the person can do where it cannot be started from here. */
  byHand: string;
}

/** `ltm serve` for as long as this person is signed in: a systemd user unit, a launchd agent, a task of Task Scheduler. */
export function describeService(
  place: Place,
  { logFile, dataFolder }: { logFile: string; dataFolder: string },
): Service {
  const words = ({ program }: Wiring): string[] => [program.command, ...program.args, 'serve', '--log-file', logFile];
  if (place.platform === 'darwin') return launchd(place, words);
  if (place.platform === 'win32') return taskScheduler(dataFolder, words);
  return systemd(place, words);
}

type Words = (wiring: Wiring) => string[];

function asAgent(path: string, content: (wiring: Wiring) => string): Agent {
  return {
    name: 'service',
    title: 'Service',
    isDesktop: true,
    signs: () => [path],
    hasHooks: false,
    edits: (_place, wiring) => [ownFile(path, content(wiring))],
    wants: [],
  };
}

function systemd({ env, home }: Place, words: Words): Service {
  const path = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', `${NAME}.service`);
  const content = (wiring: Wiring): string =>
    [
      `# ${OWN_MARK}.`,
      '[Unit]',
      'Description=Long-term memory for AI agents',
      '',
      '[Service]',
      `ExecStart=${words(wiring).map(quoteUnitWord).join(' ')}`,
      ...Object.entries(wiring.env).map(([name, value]) => `Environment=${quoteUnitWord(`${name}=${value}`)}`),
      'Restart=on-failure',
      'RestartSec=2',
      '',
      '[Install]',
      'WantedBy=default.target',
      '',
    ].join('\n');
  const systemctl = (...rest: string[]): string[] => ['systemctl', '--user', ...rest];
  return {
    agent: asAgent(path, content),
    start: [
      systemctl('daemon-reload'),
      systemctl('enable', '--now', `${NAME}.service`),
      systemctl('restart', `${NAME}.service`),
    ],
    stop: [systemctl('disable', '--now', `${NAME}.service`)],
    check: systemctl('is-active', '--quiet', `${NAME}.service`),
    byHand: `systemctl --user enable --now ${NAME}.service; \`loginctl enable-linger\` keeps it running while you are signed out.`,
  };
}

function launchd({ home }: Place, words: Words): Service {
  const path = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const more = [
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
  ];
  const content = (wiring: Wiring): string => plistOf({ label: LABEL, words: words(wiring), env: wiring.env, more });
  const domain = `gui/${process.getuid?.() ?? 501}`;
  return {
    agent: asAgent(path, content),
    start: [
      ['launchctl', 'bootstrap', domain, path],
      ['launchctl', 'kickstart', `${domain}/${LABEL}`],
    ],
    stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    check: ['launchctl', 'print', `${domain}/${LABEL}`],
    byHand: `launchctl bootstrap ${domain} ${path}`,
  };
}

function taskScheduler(dataFolder: string, words: Words): Service {
  const path = join(dataFolder, 'setup', 'task.xml');
  const content = (wiring: Wiring): string => {
    const [command, ...rest] = words(wiring);
    const args = rest.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<!-- ${OWN_MARK}. -->`,
      '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
      '  <RegistrationInfo><Description>Long-term memory for AI agents</Description></RegistrationInfo>',
      '  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>',
      '  <Principals><Principal id="me"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal></Principals>',
      '  <Settings>',
      '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
      '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
      '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
      '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
      '    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>',
      '  </Settings>',
      `  <Actions Context="me"><Exec><Command>${escapeXml(command!)}</Command><Arguments>${escapeXml(args)}</Arguments></Exec></Actions>`,
      '</Task>',
      '',
    ].join('\r\n');
  };
  return {
    agent: asAgent(path, content),
    start: [
      ['schtasks', '/Create', '/TN', NAME, '/XML', path, '/F'],
      ['schtasks', '/Run', '/TN', NAME],
    ],
    stop: [
      ['schtasks', '/End', '/TN', NAME],
      ['schtasks', '/Delete', '/TN', NAME, '/F'],
    ],
    check: ['schtasks', '/Query', '/TN', NAME],
    byHand: `schtasks /Create /TN ${NAME} /XML "${path}" /F`,
  };
}
