import { isDeepStrictEqual } from 'node:util';
import { randomFrom } from '../scripts/demo/random.ts';
import type { Sent } from './load.ts';
import type { Cast, Operation } from './operations.ts';
import type { Server } from './servers.ts';

const SAMPLES = 6;

/** Throws unless all servers give the same reply to sampled requests of an operation, except for random parts. */
export async function requireAgreement(
  operation: Operation,
  cast: Cast,
  servers: readonly Server[],
): Promise<void> {
  const random = randomFrom(`agree ${operation.name}`);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const drawn = operation.draw(cast, random);
    const answers: unknown[] = [];
    for (const server of servers) {
      const [sent] = await aimed(operation, server, [drawn]);
      if (sent === undefined) throw new Error(`nothing to send for ${operation.name}`);
      const { status, body } = await server.client.send(sent);
      if (status >= 400) throw new Error(`${server.name} ${sent.path}: ${status} ${JSON.stringify(body)}`);
      answers.push(comparable(status, body));
    }
    const [first, ...others] = answers;
    for (const other of others) {
      if (isDeepStrictEqual(first, other)) continue;
      const texts = [first, other].map((answer) => JSON.stringify(answer).slice(0, 2000));
      throw new Error(`${operation.name} ${drawn.path} is answered differently:\n${texts.join('\n')}`);
    }
  }
}

/** The requests for one server, since each server's cursors are its own. */
export async function aimed(operation: Operation, server: Server, all: readonly Sent[]): Promise<Sent[]> {
  if (operation.next !== true) return [...all];
  const known = new Map<string, Sent>();
  for (const sent of all) {
    if (known.has(sent.path)) continue;
    const { body } = await server.client.send(sent);
    known.set(sent.path, {
      ...sent,
      path: `${sent.path}&cursor=${encodeURIComponent(body.nextCursor ?? '')}`,
    });
  }
  return all.flatMap((sent) => known.get(sent.path) ?? []);
}

function comparable(status: number, body: Record<string, unknown>) {
  const { token, message, nextCursor, timeEntry, user, ...rest } = body;
  const entry = timeEntry as Record<string, unknown> | undefined;
  return {
    status,
    ...rest,
    ...(user === undefined ? {} : { user: { ...user, lastLogin: null } }),
    ...(nextCursor === undefined ? {} : { hasMore: nextCursor !== null }),
    ...(entry === undefined ? {} : { entry: { ...entry, id: 0, createdAt: '', version: 0 } }),
  };
}
