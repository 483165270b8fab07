/** What programs put into a message around or beside what was said: never somebody's words. */
const PUT_IN =
  /<(system-reminder|ltm-context|longmem-context|hook_context|untrusted_context|private|command-name|command-message|command-args|local-command-stdout|local-command-stderr|bash-input|bash-stdout|bash-stderr|user-prompt-submit-hook|environment_context|user_instructions|INSTRUCTIONS|permissions instructions|skills_instructions|session_context|task-notification)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g;

const FENCE = /^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\2[^\n]*$|$(?![\s\S]))/gm;

/** Only what was said: without code, quotations and whatever was put in. `#skip` asks that nothing of a message is kept. */
export function cleanSaid(text: string): string {
  const words = text
    .replace(PUT_IN, '\n')
    .replace(FENCE, '\n')
    .replace(/^[ \t]*(?:>|\|).*$/gm, '');
  return /(?:^|\s)#skip\b/i.test(words) ? '' : words.replace(/\n{3,}/g, '\n\n').trim();
}
