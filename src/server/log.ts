import pino, { type Logger } from 'pino';
import type { Message } from '#base/message.ts';
import { Refusal } from '#base/refusal.ts';
import { loadCatalogue, render } from '#text/catalogue.ts';
import type { Config } from './config.ts';
import { textsIn } from './texts-in.ts';

/**
 * The log of the process: a line of JSON per event. It names nobody: of an error it keeps what it is, since PostgreSQL
 * puts the refused row into its details.
 */
export function makeLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: described },
  });
}

/** The log of requests (REQUEST_LOG): also of a process that otherwise logs only what went wrong. */
export function requestLog(): Logger {
  return pino({ timestamp: pino.stdTimeFunctions.isoTime });
}

/**
 * What the log keeps of an error. What was refused on purpose is a sentence, as a client reads it in English: where in
 * the code that happened is no news.
 */
export function described(error: Error) {
  if (error instanceof Refusal) return { type: 'Refusal', message: inEnglish(error.text) };
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error);
  return { type, message, stack, code, table, constraint };
}

let english: ReturnType<typeof loadCatalogue> | undefined;

function inEnglish(message: Message): string {
  english ??= loadCatalogue('en', textsIn('en'));
  return render(english, message, message);
}
