import type { CommandContext } from '../../../cli/command.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { groupDigits } from '../../../model/group-digits.ts';
import { listSpend } from '../verbs/list-spend.ts';

export async function spend({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const report = await (await client()).listSpend(readFlags<{ days?: number }>(listSpend, args));
  const { print, note } = terminal;
  answer(report, () => {
    for (const { day, model, calls, inputTokens, outputTokens, summarized, failed } of report.days) {
      const tokens = `${groupDigits(inputTokens)} tokens in, ${groupDigits(outputTokens)} out`;
      print(
        `${day}  ${safeLine(model)}  ${showCount(calls, 'call')}, ${tokens}, ${summarized} summarised, ${failed} failed`,
      );
    }
    if (report.model === null) note('No summarizer is set: nothing is spent. Rules make the summaries.');
    else
      note(`${safeLine(report.model)}: ${report.callsToday} of ${report.dailyCalls || 'any number of'} calls today.`);
  });
}
