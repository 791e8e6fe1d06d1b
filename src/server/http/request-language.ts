import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptedLanguage, LANGUAGE_COOKIE, type Language } from '#shared/i18n/languages.ts';
import type { Deps } from '../deps.ts';
import type { RequestLocale } from '../i18n/locale.ts';
import { defaultLanguage } from '../i18n/recipient-language.ts';

declare module 'fastify' {
  interface FastifyRequest {
    listener: RequestLocale | null;
  }
}

type Speaking = Readonly<{ config: Pick<Deps['config'], 'languages'> }>;

/** Answers every request in the language that was chosen on its device, else in one that its browser asks for. */
export function setRequestLocale(app: FastifyInstance, deps: Pick<Deps, 'translators' | 'config'>): void {
  app.decorateRequest('listener', null);
  app.addHook('onRequest', (request, _reply, done) => {
    deps.translators.withLocale(requestLocaleOf(request, deps), done);
  });
  // Once more, because a body arrives with the events of its connection, which belong to nobody.
  app.addHook('preValidation', (request, _reply, done) => {
    deps.translators.withLocale(requestLocaleOf(request, deps), done);
  });
}

/** From here on answers this person, in the language that they chose where the district still speaks it. */
export function setViewerLocale(
  request: FastifyRequest,
  deps: Speaking,
  { userId, language }: { userId: number; language?: Language },
): void {
  const listener = requestLocaleOf(request, deps);
  listener.userId = userId;
  if (language !== undefined && deps.config.languages.includes(language)) listener.language = language;
}

/** Who sent a request. Errors that come before its hooks have a listener too. */
export function requestLocaleOf(request: FastifyRequest, deps: Speaking): RequestLocale {
  const { languages } = deps.config;
  request.listener ??= {
    language:
      chosenLanguage(languages, request.headers.cookie) ??
      acceptedLanguage(languages, request.headers['accept-language']) ??
      defaultLanguage(deps),
  };
  return request.listener;
}

// What was chosen on this device.
function chosenLanguage(languages: readonly Language[], cookies: string | undefined): Language | undefined {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)`).exec(cookies ?? '') ?? [];
  return languages.find((language) => language === chosen);
}
