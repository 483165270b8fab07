// node conformance/run.ts --url http://127.0.0.1:8000 --token T [--redaction] [--only TEXT] [--json]
// Sends every vector to a packet server and checks its answers. Needs Node 24 and nothing else. Exit 0: all passed; 1: some failed; 2: could not run.
import { parseArgs } from 'node:util';
import { readVectors, toBytes, type Vector } from './vectors.ts';

interface Options {
  url: string;
  token: string;
  redaction: boolean;
}

interface Result {
  row: string;
  name: string;
  result: 'passed' | 'failed' | 'skipped';
  problem?: string;
}

interface Answer {
  status: number;
  body: string;
}

async function call(options: Options, method: string, path: string, body?: Uint8Array): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${options.token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(new URL(path, options.url), {
    method,
    headers,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
    redirect: 'manual',
  });
  return { status: response.status, body: await response.text() };
}

function errorText(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed)
      return typeof parsed.error === 'string' ? parsed.error : JSON.stringify(parsed.error);
  } catch {
    return body; // not JSON: the body is the text
  }
  return body;
}

function checkRefusal({ expect }: Vector, { status, body }: Answer): string | null {
  if (status !== 400) return `want 400, got ${status}: ${body.slice(0, 200)}`;
  const text = errorText(body).toLowerCase();
  const missing = [...(expect.says ?? []), ...(expect.findings ?? [])].filter(
    (part) => !text.includes(part.toLowerCase()),
  );
  return missing.length === 0
    ? null
    : `the error text lacks ${missing.map((part) => JSON.stringify(part)).join(', ')}: ${text.slice(0, 300)}`;
}

async function checkStored(options: Options, { expect }: Vector, answer: Answer): Promise<string | null> {
  if (answer.status !== 201) return `want 201, got ${answer.status}: ${answer.body.slice(0, 200)}`;
  const { id } = JSON.parse(answer.body) as { id: string };
  const path = `/v1/packets/${encodeURIComponent(id)}`;
  const stored = await call(options, 'GET', path);
  await call(options, 'DELETE', path);
  if (stored.status !== 200) return `GET ${path}: want 200, got ${stored.status}`;
  if (expect.canonical === undefined || stored.body === expect.canonical) return null;
  return `the stored bytes differ:\n--- want\n${expect.canonical}\n--- got\n${stored.body}`;
}

async function runVector(options: Options, vector: Vector): Promise<Result> {
  const { row, name, expect, input } = vector;
  if (expect.outcome === 'redacted' && !options.redaction) return { row, name, result: 'skipped' };
  const answer = await call(options, 'POST', '/v1/packets', toBytes(input));
  const problem =
    expect.outcome === 'accepted' ? await checkStored(options, vector, answer) : checkRefusal(vector, answer);
  // What should have been refused and was stored is taken away again.
  if (problem !== null && answer.status === 201) await checkStored(options, vector, answer);
  return problem === null ? { row, name, result: 'passed' } : { row, name, result: 'failed', problem };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      redaction: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.url === undefined || values.token === undefined) {
    process.stderr.write(
      `Usage: node ${process.argv[1] ?? 'run.ts'} --url http://HOST:PORT --token TOKEN [--redaction] [--only TEXT] [--json]\n`,
    );
    return 2;
  }
  const options: Options = { url: values.url, token: values.token, redaction: values.redaction };
  const results: Result[] = [];
  for (const vector of readVectors().filter(({ row, name }) => `${row}: ${name}`.includes(values.only)))
    results.push(await runVector(options, vector));
  const count = (result: Result['result']): number => results.filter((one) => one.result === result).length;
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ passed: count('passed'), failed: count('failed'), skipped: count('skipped'), results }, null, 2)}\n`,
    );
  else {
    for (const { row, name, problem } of results)
      if (problem !== undefined) process.stdout.write(`FAILED ${row}: ${name}\n  ${problem}\n`);
    process.stdout.write(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
  }
  return count('failed') === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(
    `Could not run: ${error instanceof Error ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}` : String(error)}\n`,
  );
  process.exitCode = 2;
}
