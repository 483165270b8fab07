// The long form of the kill loop: 16 writers, 200 memories each, 30 kills. Exit 1 when anything acknowledged is missing.
import { runKillLoop } from '../test/e2e/kill-loop.ts';

const [processes = 16, writes = 200, kills = 30] = process.argv.slice(2).map(Number);
const report = await runKillLoop({
  processes,
  writes,
  kills,
  onProgress: (acknowledged, killed) => process.stderr.write(`\r${acknowledged} acknowledged, ${killed} killed `),
});
process.stderr.write('\n');
console.log(JSON.stringify(report, null, 2));
process.exitCode = report.lost.length + report.unfound.length + report.complaints.length === 0 && report.sound ? 0 : 1;
