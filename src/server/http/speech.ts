import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptedLanguage, LANGUAGE_COOKIE, LANGUAGES, type Language } from '#base/language.ts';
import type { Deps } from '../deps.ts';
import type { Listener } from '../speech.ts';

declare module 'fastify' {
  interface FastifyRequest {
    listener: Listener | null;
  }
}

/** Answers every request in the language that was chosen on its device, else in one that its browser asks for. */
export function speakTo(app: FastifyInstance, deps: Pick<Deps, 'speech'>): void {
  app.decorateRequest('listener', null);
  app.addHook('onRequest', (request, _reply, done) => {
    deps.speech.speakingTo(listenerOf(request), done);
  });
  // Once more, because a body arrives with the events of its connection, which belong to nobody.
  app.addHook('preValidation', (request, _reply, done) => {
    deps.speech.speakingTo(listenerOf(request), done);
  });
}

/** Who sent a request. Errors that come before its hooks have a listener too. */
export function listenerOf(request: FastifyRequest): Listener {
  request.listener ??= {
    language:
      chosenLanguage(request.headers.cookie) ??
      acceptedLanguage(LANGUAGES, request.headers['accept-language']) ??
      LANGUAGES[0],
  };
  return request.listener;
}

// What was chosen on this device.
function chosenLanguage(cookies: string | undefined): Language | undefined {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)`).exec(cookies ?? '') ?? [];
  return LANGUAGES.find((language) => language === chosen);
}
