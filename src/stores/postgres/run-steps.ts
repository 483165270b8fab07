import { randomUUID } from 'node:crypto';
import type { Answer, Request, RowInsert, SqlDatabase, Statement, Steps } from '../sql/statements.ts';
import type { Session } from './database.ts';
import type { Transactions } from './transactions.ts';

/** None takes long to write, and nobody holds much more than one of them beside the whole. */
export const PIECE_BYTES = 2 * 1024 * 1024;

export function createSqlDatabase({ read, write }: Transactions): SqlDatabase {
  return {
    pieceBytes: PIECE_BYTES,
    read: (sight, work) => read(sight, (session) => runSteps(session, work())),
    write: (sight, work, { keeps } = {}) => write(sight, (session) => runSteps(session, work()), keeps),
    async tryWrite(sight, work) {
      await write(sight, (session) => runSteps(session, work()));
      return true;
    },
    newMark: () => randomUUID(),
  };
}

/** Rows of one statement, at most: 1, 2, 4 … up to this many, so that few different statements are ever prepared. */
const MAX_ROWS = 64;

/** "lseg", without holding up a space's commits; "lwho". */
const LOCKS = { segments: 0x6c736567, identities: 0x6c77686f };

const NOTHING: readonly Answer[] = [];

export async function runSteps<T>(session: Session, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    const answers = answer(session, step.value);
    step = steps.next(answers instanceof Promise ? await answers : answers);
  }
  return step.value;
}

function answer(session: Session, request: Request): readonly Answer[] | Promise<readonly Answer[]> {
  if ('lock' in request) {
    const sql = "SELECT pg_advisory_xact_lock($1::int, hashtext(current_schema() || ' ' || $2))";
    session.send(sql, [LOCKS[request.lock], request.of]);
    return NOTHING;
  }
  const statements = 'insert' in request ? [...statementsOf(request.insert)] : request.statements;
  if (request.wants !== 'nothing') return Promise.all(statements.map(({ sql, values }) => session.query(sql, values)));
  for (const { sql, values } of statements) session.send(sql, values);
  return NOTHING;
}

/** Lists of values rather than a SELECT over arrays: these go straight to the space's own shard on a Citus cluster. */
function* statementsOf({ into, space, rows }: RowInsert): Generator<Statement> {
  const { table, columns, conflict = '' } = into;
  const [own, names] = space === null ? [[], columns] : [[space], ['space_id', ...columns]];
  for (let done = 0; done < rows.length; ) {
    const count = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - done)));
    const lists = Array.from({ length: count }, (_, row) => {
      const places = columns.map((_, i) => `$${own.length + row * columns.length + i + 1}`);
      return `(${[...own.map(() => '$1'), ...places].join(', ')})`;
    });
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES ${lists.join(', ')} ${conflict}`;
    yield { sql, values: [...own, ...rows.slice(done, done + count).flat(1)] };
    done += count;
  }
}
