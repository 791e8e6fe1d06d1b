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

/**
 * Sets the locale of every request: the language chosen on the device, else the browser's preference, else the district's
 * default.
 */
export function setRequestLocale(app: FastifyInstance, deps: Pick<Deps, 'translators' | 'config'>): void {
  app.decorateRequest('listener', null);
  app.addHook('onRequest', (request, _reply, done) => {
    deps.translators.withLocale(requestLocaleOf(request, deps), done);
  });
  // Set again, because body events run in the context of the connection, not of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    deps.translators.withLocale(requestLocaleOf(request, deps), done);
  });
}

/** Switches the request to the viewer's chosen language, if the district still offers it. */
export function setViewerLocale(
  request: FastifyRequest,
  deps: Speaking,
  { userId, language }: { userId: number; language?: Language },
): void {
  const listener = requestLocaleOf(request, deps);
  listener.userId = userId;
  if (language !== undefined && deps.config.languages.includes(language)) listener.language = language;
}

/** Returns the locale of a request, also for errors before its hooks ran. */
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

// The language chosen on this device.
function chosenLanguage(languages: readonly Language[], cookies: string | undefined): Language | undefined {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)`).exec(cookies ?? '') ?? [];
  return languages.find((language) => language === chosen);
}
