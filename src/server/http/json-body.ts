import type { FastifyInstance } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';

/** The largest JSON body, in bytes; endpoints that accept a roster set their own. */
export const JSON_BODY_BYTES = 65_536;
const MAX_DEPTH = 8;
const BODY_TIMEOUT_MS = 30_000;

/**
 * Parses JSON bodies. An empty one counts as no body (a DELETE may have a JSON content type). Rejects a body
 * that is not an object, contains `__proto__`, nests deeply or takes longer than 30 s to arrive.
 */
export function readJsonBodies(app: FastifyInstance, deps: Deps): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = typeof body === 'string' ? body : body.toString('utf8');
    if (text.trim() === '') return done(null, undefined);
    if (depthOf(text) > MAX_DEPTH) return done(errors.invalid(commonMessages.invalidBody));
    return parse(request, text, (error, value) =>
      error === null && isObject(value)
        ? done(null, value)
        : done(errors.invalid(commonMessages.invalidBody)),
    );
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.headers['content-type']?.startsWith('application/json')) {
      const timer = setTimeout(() => {
        reply.code(408).header('connection', 'close');
        reply.send({ error: translate(deps, commonMessages.timedOut) });
        reply.raw.once('finish', () => request.raw.destroy());
      }, BODY_TIMEOUT_MS);
      payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
    }
    done(null, payload);
  });
}

// A body with only optional fields would otherwise accept null.
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The nesting depth of a JSON text; brackets inside strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}
