/**
 * The baseline: the same replies from one bare process: an index for each question, statements prepared once, rows as
 * arrays, nothing done twice. It checks no rules, keeps no audit log and sends no messages: it is a yardstick, not a
 * design.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answering } from './replies.ts';
import { openBaseline } from './schema.ts';

const BEARER = 'Bearer '.length;
const { DATA_DIR: dataDir = '.', PORT: port = '0' } = process.env;
const answer = answering(openBaseline(dataDir));

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

function answerTo(
  { url = '/', method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  body: unknown,
) {
  const [path = '', text = ''] = url.split('?');
  const { authorization } = headers;
  const token = authorization === undefined ? '' : hash('sha256', authorization.slice(BEARER));
  const give = (answered: object | undefined) => {
    if (answered === undefined) return reply(response, 401, { error: 'Authentication required' });
    reply(response, method === 'POST' && path === '/api/time-entries' ? 201 : 200, answered);
  };
  const answered = answer({ method, path, query: queryOf(text), token, body });
  // No turn of the loop for what needs none.
  if (answered instanceof Promise) void answered.then(give);
  else give(answered);
}

// The bench sends nothing that would have to be decoded.
function queryOf(text: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const part of text === '' ? [] : text.split('&')) {
    const at = part.indexOf('=');
    query[part.slice(0, at)] = part.slice(at + 1);
  }
  return query;
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const type = 'application/json; charset=utf-8';
  response.writeHead(status, ['content-type', type, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}
