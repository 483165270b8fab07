import { confirmPlan } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { RolesPlan } from '../../../model/database-administration.ts';
import { loadConfigOnce } from '../../../settings/config.ts';

export async function roles({ args, terminal, json, answer, sources, machine }: CommandContext): Promise<number> {
  const config = loadConfigOnce(sources);
  const options = { owner: args.text('owner'), serving: args.list('serve') };
  const plan = await machine.setDatabaseRoles(config, { ...options, dryRun: true });
  const dryRun = args.isOn('dry-run');
  const isDone = plan.sql.length === 0 && plan.version === plan.toVersion;
  if (!json) showPlan(plan, { isDone, withSql: dryRun || !plan.mayDo }, terminal);
  if (dryRun || isDone) {
    answer({ ...plan, dryRun, done: isDone }, () => {});
    return EXIT.ok;
  }
  if (plan.mayDo && !args.isOn('yes') && !(await confirmPlan(terminal, 'Continue?'))) return EXIT.refused;
  await machine.setDatabaseRoles(config, options);
  answer({ ...plan, dryRun, done: true }, terminal.paint('green', 'Done.'));
  return EXIT.ok;
}

function showPlan(
  plan: RolesPlan,
  { isDone, withSql }: { isDone: boolean; withSql: boolean },
  { print, paint }: Terminal,
): void {
  const { present, version, toVersion, mayDo } = plan;
  const [owner, schema, role] = [plan.owner, plan.schema, plan.role].map(safeLine);
  const serving = plan.serving.map(safeLine).join(', ');
  if (isDone) {
    print(`Nothing to do: the tables in ${schema} belong to ${owner}, and ${serving} may read and write rows.`);
    return;
  }
  const from = present === null || present === plan.owner ? '' : ` (now ${safeLine(present)})`;
  print(`Database ${safeLine(plan.database)}, schema ${schema}, as ${role}:`);
  print(`  ${owner}, as which nobody can log in, owns the tables${from}. It sees all rows: backups and moves work.`);
  print(`  ${serving} may read and write rows and nothing else. Row-level security holds for it.`);
  if (version < toVersion)
    print(`  The tables are ${version === 0 ? 'created' : `upgraded from version ${version}`} (version ${toVersion}).`);
  if (!mayDo)
    print(`${role} may not do this. A superuser of the server may, with this command or with these statements:`);
  if (!withSql) return;
  print(paint('dim', ['BEGIN', ...plan.sql, 'COMMIT'].map((sql) => `${sql};`).join('\n')));
}
