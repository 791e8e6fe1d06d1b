import pino, { type Logger } from 'pino';
import { HttpError } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { createMessageCatalog, render } from '#shared/i18n/message-catalog.ts';
import type { Config } from './config.ts';
import { loadMessages } from './i18n/translator.ts';

/**
 * The log of the process: a plain line per event, like the lines that a start prints. It names nobody: of an error it
 * keeps what it is, since PostgreSQL puts the refused row into its details.
 */
export function makeLog(config: Pick<Config, 'logLevel'>): Logger {
  const out = pino.destination(1);
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: described },
    },
    { write: (event) => out.write(`${plainLine(event)}\n`) },
  );
}

type Event = Readonly<{ level: number; time: string; msg?: string; err?: ReturnType<typeof described> }>;

/** An event of the log as a person reads it: moment, level, sentence, details; of a bug also where it is. */
export function plainLine(event: string): string {
  const { level, time, msg, err, ...details } = JSON.parse(event) as Event;
  const { type: _type, message, stack, ...codes } = err ?? {};
  // Without words of its own an error is logged under its message.
  const sentence = [...new Set([msg, message])].filter(Boolean).join(': ');
  const named = Object.entries({ ...details, ...codes }).map(([name, value]) => `${name}=${written(value)}`);
  const line = [time, pino.levels.labels[level], onOneLine(sentence), ...named].join(' ');
  const frames = stack?.split('\n').filter((part) => part.startsWith('    at ')) ?? [];
  return [line, ...frames].join('\n');
}

// As JSON it is one line, whatever is in it, and nobody can have a line of their own written into the log.
function written(value: unknown): string {
  const text = JSON.stringify(value);
  return /^"[\w:./@+-]+"$/.test(text) ? text.slice(1, -1) : text;
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** The log of requests (REQUEST_LOG), a line of JSON each, for programs that count them. */
export function requestLog(): Logger {
  return pino({ timestamp: pino.stdTimeFunctions.isoTime });
}

/**
 * What the log keeps of an error. What was refused on purpose is a sentence, as a client reads it in English: where in
 * the code that happened is no news.
 */
export function described(error: Error) {
  if (error instanceof HttpError) return { type: 'Refusal', message: inEnglish(error.text) };
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error);
  return { type, message, stack, code, table, constraint };
}

let english: ReturnType<typeof createMessageCatalog> | undefined;

function inEnglish(message: Message): string {
  english ??= createMessageCatalog('en', loadMessages('en'));
  return render(english, message, message);
}
