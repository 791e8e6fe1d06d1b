import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptedLanguage, LANGUAGE_COOKIE, LANGUAGES, type Language } from '#base/language.ts';
import type { Deps } from '../deps.ts';
import type { Listener } from '../speech.ts';

declare module 'fastify' {
  interface FastifyRequest {
    listener: Listener | null;
  }
}

type Speaking = Readonly<{ config: Pick<Deps['config'], 'languages'> }>;

/** Answers every request in the language that was chosen on its device, else in one that its browser asks for. */
export function speakTo(app: FastifyInstance, deps: Pick<Deps, 'speech' | 'config'>): void {
  app.decorateRequest('listener', null);
  app.addHook('onRequest', (request, _reply, done) => {
    deps.speech.speakingTo(listenerOf(request, deps), done);
  });
  // Once more, because a body arrives with the events of its connection, which belong to nobody.
  app.addHook('preValidation', (request, _reply, done) => {
    deps.speech.speakingTo(listenerOf(request, deps), done);
  });
}

/** From here on answers in the language that the person chose, where the district still speaks it. */
export function speakAsChosen(request: FastifyRequest, deps: Speaking, { language }: { language?: Language }): void {
  if (language !== undefined && deps.config.languages.includes(language)) listenerOf(request, deps).language = language;
}

/** Who sent a request. Errors that come before its hooks have a listener too. */
export function listenerOf(request: FastifyRequest, { config: { languages } }: Speaking): Listener {
  request.listener ??= {
    language:
      chosenLanguage(languages, request.headers.cookie) ??
      acceptedLanguage(languages, request.headers['accept-language']) ??
      languages[0] ??
      LANGUAGES[0],
  };
  return request.listener;
}

// What was chosen on this device.
function chosenLanguage(languages: readonly Language[], cookies: string | undefined): Language | undefined {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)`).exec(cookies ?? '') ?? [];
  return languages.find((language) => language === chosen);
}
