import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/**
 * The log of the process: a line of JSON per event. It names nobody: of a request it keeps the method, since paths
 * may hold a token, and of an error what it is, since PostgreSQL puts the refused row into its details.
 */
export function makeLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    serializers: { err: described, req: ({ method }: { method: string }) => ({ method }) },
  });
}

function described(error: Error) {
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error);
  return { type, message, stack, code, table, constraint };
}
