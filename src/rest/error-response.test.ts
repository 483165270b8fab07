import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { errorResponse, type Problem, RequestProblem } from './error-response.ts';

async function read(response: Response): Promise<Problem> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  return (await response.json()) as Problem;
}

it('keeps what an unforeseen error says out of the answer', async () => {
  const response = errorResponse(new TypeError('cannot read "the secret text"'), 'r-1');
  const problem = await read(response);
  assert.equal(response.status, 500);
  assert.equal(problem.code, 'internal');
  assert.equal(problem.request_id, 'r-1');
  assert.match(problem.hint ?? '', /log has details under this request id/);
  assert.doesNotMatch(JSON.stringify(problem), /secret text/);
});

it('shows code, hint and facts of an expected error', async () => {
  const response = errorResponse(
    new EngineError('too_large', 'Too long.', { hint: 'Shorten it.', details: { limit: 5 } }),
    'r-2',
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
});

it('lets no fact replace a member of the document', async () => {
  const problem = await read(
    errorResponse(new EngineError('conflict', 'Changed.', { details: { status: 200, code: 'fine' } }), 'r-3'),
  );
  assert.deepEqual([problem.status, problem.code], [409, 'conflict']);
});

it('says when to come back', () => {
  assert.equal(errorResponse(new EngineError('busy', 'Busy.'), 'r-4').headers.get('retry-after'), '1');
  assert.equal(
    errorResponse(
      new RequestProblem('invalid_input', 'No.', { status: 405, headers: { Allow: 'GET' } }),
      'r-5',
    ).headers.get('allow'),
    'GET',
  );
});
