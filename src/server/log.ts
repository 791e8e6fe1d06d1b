import pino, { type Logger } from 'pino';
import { HttpError } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { createMessageCatalog, render } from '#shared/i18n/message-catalog.ts';
import type { Config } from './config.ts';
import { loadMessages } from './i18n/translator.ts';

/**
 * The process log: one plain line per event. It contains no personal data: PostgreSQL puts the rejected row
 * into an error's details, so those are dropped.
 */
export function createLog(config: Pick<Config, 'logLevel'>): Logger {
  const out = pino.destination(1);
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    { write: (event) => out.write(`${formatLine(event)}\n`) },
  );
}

type Event = Readonly<{ level: number; time: string; msg?: string; err?: ReturnType<typeof describeError> }>;

/** Formats a log event as a readable line: time, level, sentence, details, and the stack of a bug. */
export function formatLine(event: string): string {
  const { level, time, msg, err, ...details } = JSON.parse(event) as Event;
  const { type: _type, message, stack, ...codes } = err ?? {};
  // An error without its own log message is logged under the error's message.
  const sentence = [...new Set([msg, message])].filter(Boolean).join(': ');
  const named = Object.entries({ ...details, ...codes }).map(
    ([name, value]) => `${name}=${formatValue(value)}`,
  );
  const line = [time, pino.levels.labels[level], toOneLine(sentence), ...named].join(' ');
  const frames = stack?.split('\n').filter((part) => part.startsWith('    at ')) ?? [];
  return [line, ...frames].join('\n');
}

// JSON is one line, so user input cannot forge log lines.
function formatValue(value: unknown): string {
  const text = JSON.stringify(value);
  return /^"[\w:./@+-]+"$/.test(text) ? text.slice(1, -1) : text;
}

function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** The request log (REQUEST_LOG): one line of JSON per request, for programs. */
export function createRequestLog(): Logger {
  return pino({ timestamp: pino.stdTimeFunctions.isoTime });
}

/** Describes an error for the log. An `HttpError` is logged as the English sentence that a client reads, without its stack. */
export function describeError(error: Error) {
  if (error instanceof HttpError) return { type: 'HttpError', message: inEnglish(error.text) };
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error);
  return { type, message, stack, code, table, constraint };
}

let english: ReturnType<typeof createMessageCatalog> | undefined;

function inEnglish(message: Message): string {
  english ??= createMessageCatalog('en', loadMessages('en'));
  return render(english, message, message);
}
