export interface TestResults {
  runner: string;
  passed: number;
  failed: number;
  /** Names of those that failed, in order, each once. */
  failing: string[];
}

interface Runner {
  name: string;
  /** Lines that count, with the groups `passed`, `failed`, `total`. */
  counts: readonly RegExp[];
  /** Counts of several lines belong together. */
  sums?: true;
  /** Lines that name a failed test, in the group `name`. */
  failing: readonly RegExp[];
}

/** How runners sum up; the first whose counts are in the output is the one. */
const RUNNERS: readonly Runner[] = [
  {
    name: 'node:test',
    counts: [/^(?:ℹ|#) tests (?<total>\d+)/, /^(?:ℹ|#) pass (?<passed>\d+)/, /^(?:ℹ|#) fail (?<failed>\d+)/],
    failing: [/^\s*✖ (?!failing tests)(?<name>.+?)(?: \([\d.]+m?s\))?$/, /^\s*not ok \d+ - (?<name>.+?)(?: # .*)?$/],
  },
  {
    name: 'jest',
    counts: [
      /^Tests:\s+(?=.*\btotal\b)(?:(?<failed>\d+) failed,? ?)?(?:\d+ (?:skipped|todo),? ?)*(?:(?<passed>\d+) passed,? ?)?/,
    ],
    failing: [/^\s*● (?!Console)(?<name>.+ › .+|[^›]{3,80})$/],
  },
  {
    name: 'vitest',
    counts: [/^\s*Tests\s+(?:(?<failed>\d+) failed)?(?: \| )?(?:(?<passed>\d+) passed)?(?=.*\(\d+\)|\s*$)/],
    failing: [/^\s*(?:FAIL|❯ FAIL)\s+\S+ > (?<name>.+?)(?: \d+ms)?$/, /^\s*[×✗] (?<name>.+?)(?: \d+m?s)?$/],
  },
  {
    name: 'pytest',
    counts: [
      /^=*\s?(?=.*\bin [\d.]+s)(?:(?<failed>\d+) failed)?(?:, )?(?:(?<passed>\d+) passed)?.*=*$/,
      /^=+ .*?(?<failed>\d+) errors? in /,
    ],
    failing: [/^(?:FAILED|ERROR) (?<name>\S+::\S+|\S+\.py)(?: - .*)?$/],
  },
  {
    name: 'cargo test',
    counts: [/^test result: \S+ (?<passed>\d+) passed; (?<failed>\d+) failed/],
    sums: true,
    failing: [/^test (?<name>\S+) \.\.\. FAILED/],
  },
  {
    name: 'mocha',
    counts: [/^\s+(?<passed>\d+) passing\b/, /^\s+(?<failed>\d+) failing\b/],
    failing: [/^\s{2,}\d+\) (?<name>.+?):?$/],
  },
  {
    name: 'unittest',
    counts: [
      /^Ran (?<total>\d+) tests? in /,
      /^FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?/,
    ],
    failing: [/^(?:FAIL|ERROR): (?<name>\w+ \([\w.]+\)|\w+)/],
  },
  {
    name: 'rspec',
    counts: [/^(?<total>\d+) examples?, (?<failed>\d+) failures?/],
    failing: [/^rspec \S+ # (?<name>.+)$/],
  },
  {
    name: 'phpunit',
    counts: [
      /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?/,
      /^OK \((?<passed>\d+) tests?/,
    ],
    failing: [/^\d+\) (?<name>[\w\\]+::\w+)/],
  },
  {
    name: 'dotnet test',
    counts: [/(?:Failed|Passed)!\s+- Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+)/],
    sums: true,
    failing: [/^\s+Failed (?<name>\S+) \[/],
  },
  {
    name: 'JUnit',
    counts: [/Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+)(?!.*(?:Time elapsed|<<<))/],
    failing: [/^\[ERROR\]\s+(?<name>[\w.$]+[.:][\w]+)(?::\d+)?\b/],
  },
  {
    name: 'ctest',
    counts: [/tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)/],
    failing: [/^\s*\d+ - (?<name>\S+) \((?:Failed|SEGFAULT|Timeout)\)/],
  },
  {
    name: 'bun test',
    counts: [/^\s*(?<passed>\d+) pass$/, /^\s*(?<failed>\d+) fail$/],
    failing: [/^\(fail\) (?<name>.+?)(?: \[[\d.]+m?s\])?$/],
  },
  {
    name: 'deno test',
    counts: [/^(?:ok|FAILED) \| (?<passed>\d+) passed.* \| (?<failed>\d+) failed/],
    failing: [/^(?<name>\S.+?) => \S+:\d+:\d+$/],
  },
  {
    name: 'playwright',
    counts: [/^\s+(?<failed>\d+) failed$/, /^\s+(?<passed>\d+) passed \(/],
    failing: [/^\s+\[\w+\] › (?<name>.+?) [─=]*$/],
  },
  {
    name: 'go test',
    counts: [
      /^\s*--- FAIL: (?<one>\S+)/,
      /^\s*--- PASS: (?<onePassed>\S+)/,
      /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?<package>)/,
    ],
    sums: true,
    failing: [/^\s*--- FAIL: (?<name>\S+)/],
  },
];

/** What the tests said; null where there is no sign of any. */
export function readTestResults(lines: readonly string[]): TestResults | null {
  for (const runner of RUNNERS) {
    const results = readRunner(runner, lines);
    if (results !== null) return results;
  }
  return null;
}

function readRunner({ name, counts, sums, failing }: Runner, lines: readonly string[]): TestResults | null {
  const found = { passed: 0, failed: 0, errors: 0, total: 0 };
  let isThere = false;
  const names = new Set<string>();
  for (const line of lines) {
    if (line.length > 500) continue;
    for (const pattern of counts) {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined || Object.values(groups).every((value) => value === undefined)) continue;
      isThere = true;
      for (const key of ['passed', 'failed', 'errors', 'total'] as const)
        if (groups[key] !== undefined) found[key] = Number(groups[key]) + (sums === true ? found[key] : 0);
      if (groups.one !== undefined) found.failed++;
      if (groups.onePassed !== undefined || groups.package !== undefined) found.passed++;
    }
    const failed = firstMatch(failing, line);
    if (failed !== null && names.size < 50) names.add(failed);
  }
  if (!isThere) return null;
  const failed = found.failed + found.errors;
  return {
    runner: name,
    passed: found.passed || Math.max(0, found.total - failed),
    failed,
    failing: failed === 0 ? [] : innermost([...names]),
  };
}

function firstMatch(patterns: readonly RegExp[], line: string): string | null {
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.groups?.name;
    if (name !== undefined) return name.trim();
  }
  return null;
}

/** Runners of nested tests name the file or the suite too: what ends like a file is left out where something else is named. */
function innermost(names: readonly string[]): string[] {
  const tests = names.filter(
    (name) => !/^\S+\.(?:[cm]?[jt]sx?|py|go|rs)$/.test(name) && !/^\d+ subtests? failed/.test(name),
  );
  return tests.length > 0 ? tests : [...names];
}
