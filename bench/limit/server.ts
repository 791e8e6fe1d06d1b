/**
 * The limit: the same replies from one bare process, tuned by hand: an index for each question, statements prepared
 * once, plain objects turned into JSON, nothing done twice. It checks no rules, keeps no audit log and sends no
 * messages: it is a yardstick, not a design.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Asked, queryOf } from './asked.ts';
import { openPostgres, openSqlite } from './database.ts';
import { onPostgres } from './on-postgres.ts';
import { onSqlite } from './on-sqlite.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const BEARER = 'Bearer '.length;

const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '.', PORT: port = '0' } = process.env;
const answer =
  databaseUrl === undefined ? onSqlite(openSqlite(dataDir)) : onPostgres(await openPostgres(databaseUrl));

const server = createServer((request, response) => {
  const { url = '/', method = 'GET' } = request;
  if (url === '/healthz') return reply(response, 200, { status: 'ok' });
  if (method === 'GET') return answerTo(request, response, undefined);
  request.on('data', (piece: Buffer) => answerTo(request, response, JSON.parse(piece.toString())));
});
// No timer for each request.
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  console.log(`ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
process.on('SIGTERM', () => process.exit(0));

function answerTo(request: IncomingMessage, response: ServerResponse, body: Asked['body']): void {
  const { url = '/', method = 'GET' } = request;
  const at = url.indexOf('?');
  const { authorization } = request.headers;
  const asked = {
    method,
    path: at === -1 ? url : url.slice(0, at),
    query: at === -1 ? {} : queryOf(url.slice(at + 1)),
    token: authorization === undefined ? '' : hash('sha256', authorization.slice(BEARER)),
    body,
  };
  answer(asked, (answered) => {
    if (answered === undefined) reply(response, 401, { error: 'Authentication required' });
    else reply(response, method === 'POST' && asked.path === '/api/time-entries' ? 201 : 200, answered);
  });
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, ['content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}
