import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { errorResponse, type Problem, RequestProblem } from './error-response.ts';

function capture() {
  const lines: string[] = [];
  const note = (event: string, facts = {}) => void lines.push(JSON.stringify({ event, ...facts }));
  return { lines, log: { info: note, warn: note, error: note } };
}

async function read(response: Response): Promise<Problem> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  return (await response.json()) as Problem;
}

it('keeps what an unforeseen error says out of the answer and out of the log', async () => {
  const { lines, log } = capture();
  const response = errorResponse(new TypeError('cannot read "the secret text"'), 'r-1', log);
  const problem = await read(response);
  assert.equal(response.status, 500);
  assert.equal(problem.code, 'internal');
  assert.equal(problem.request_id, 'r-1');
  assert.doesNotMatch(JSON.stringify(problem) + lines.join(), /secret text/);
  assert.match(lines.join(), /TypeError.*error-response\.test/);
});

it('shows code, hint and facts of an expected error', async () => {
  const { lines, log } = capture();
  const response = errorResponse(
    new EngineError('too_large', 'Too long.', { hint: 'Shorten it.', details: { limit: 5 } }),
    'r-2',
    log,
  );
  assert.equal(response.status, 413);
  assert.deepEqual(await read(response), {
    limit: 5,
    type: '/api/v1/docs#too_large',
    title: 'Too large',
    status: 413,
    detail: 'Too long.',
    code: 'too_large',
    hint: 'Shorten it.',
    request_id: 'r-2',
  });
  assert.deepEqual(lines, []);
});

it('lets no fact replace a member of the document', async () => {
  const problem = await read(
    errorResponse(
      new EngineError('conflict', 'Changed.', { details: { status: 200, code: 'fine' } }),
      'r-3',
      capture().log,
    ),
  );
  assert.deepEqual([problem.status, problem.code], [409, 'conflict']);
});

it('says when to come back', () => {
  const { log, lines } = capture();
  assert.equal(errorResponse(new EngineError('busy', 'Busy.'), 'r-4', log).headers.get('retry-after'), '1');
  assert.equal(lines.length, 1);
  assert.equal(
    errorResponse(
      new RequestProblem('invalid_input', 'No.', { status: 405, headers: { Allow: 'GET' } }),
      'r-5',
      log,
    ).headers.get('allow'),
    'GET',
  );
});
