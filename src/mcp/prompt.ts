import type { Opened } from './access.ts';

export type PromptArguments = Readonly<Record<string, string>>;

/** A message that a person can ask for by its name. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  write(args: PromptArguments, open: () => Promise<Opened>): Promise<string>;
}

export function argument(name: string, description: string, required: boolean) {
  return { name, description, required };
}

/** As `prompts/list` shows it. */
export function describePrompt({ name, title, description, arguments: args }: Prompt) {
  return { name, title, description, arguments: [...args] };
}
