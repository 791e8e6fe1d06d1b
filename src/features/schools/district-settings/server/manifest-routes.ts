import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { translate } from '#server/i18n/translator.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('district-settings');

/** The background (tokens.css) while the app opens, and the theme color. */
export const COLOURS = { background: '#f6f7f5', theme: '#0f6b4f' } as const;

const SIZES = [192, 512] as const;
/** Shortcuts in the icon's menu; `?open=` selects the tab. */
const TABS = [
  { open: 'log', name: 'web:logTime' },
  { open: 'recent', name: 'web:recentActivity' },
  { open: 'photos', name: 'web:managePhotos' },
] as const;

/** Serves the web app manifest: the name in the page's language, icons and shortcuts. */
export function mountManifest(app: FastifyInstance, deps: Deps): void {
  for (const language of LANGUAGES) {
    const mark = language === LANGUAGES[0] ? '' : `.${language}`;
    app.get(`/manifest${mark}.webmanifest`, { config: { gate: 'public' } }, async (_request, reply) => {
      await deps.settings.refresh();
      return reply
        .type('application/manifest+json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .send(JSON.stringify(manifestOf(deps, language)));
    });
  }
}

function manifestOf({ config, translators }: Deps, language: Language) {
  const recipient = { translator: translators.forLanguage(language) };
  const district = config.districtName;
  return {
    id: '/',
    name: translate(recipient, say('installedName', { district })),
    short_name: translate(recipient, say('installedShortName')),
    description: translate(recipient, say('installedDescription', { district })),
    lang: language,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: COLOURS.background,
    theme_color: COLOURS.theme,
    icons: SIZES.flatMap((size) => [
      { src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose: 'any' },
      {
        src: `/icon-maskable-${size}.png`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose: 'maskable',
      },
    ]),
    shortcuts: TABS.map(({ open, name }) => ({
      name: recipient.translator.t(name),
      url: `/?open=${open}`,
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    })),
  };
}
