import { OWN_MARK } from '../../agents/edits/file-edit.ts';

/** A word of a line in a systemd unit. */
export function quoteUnitWord(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

interface LaunchAgent {
  label: string;
  words: readonly string[];
  env: Readonly<Record<string, string>>;
  /** When and how it runs. */
  more: readonly string[];
}

/** The file of a launchd agent. */
export function plistOf({ label, words, env, more }: LaunchAgent): string {
  const string = (text: string): string => `<string>${escapeXml(text)}</string>`;
  const variables = Object.entries(env).map(([name, value]) => `<key>${escapeXml(name)}</key>${string(value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${OWN_MARK}. -->`,
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${string(label)}`,
    `  <key>ProgramArguments</key><array>${words.map(string).join('')}</array>`,
    `  <key>EnvironmentVariables</key><dict>${variables.join('')}</dict>`,
    ...more,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}
