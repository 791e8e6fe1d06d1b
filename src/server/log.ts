import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/**
 * The log of the process: a line of JSON per event. It names nobody: of an error it keeps what it is, since PostgreSQL
 * puts the refused row into its details.
 */
export function makeLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    serializers: { err: described },
  });
}

/** The log of requests (REQUEST_LOG): also of a process that otherwise logs only what went wrong. */
export function requestLog(): Logger {
  return pino();
}

function described(error: Error) {
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error);
  return { type, message, stack, code, table, constraint };
}
