const TEST = '\\.test\\.tsx?$';
const FEATURE = '^src/features/';
/** What both sides of a feature read: its contracts and all else outside its server and web folders. */
const CONTRACT = `${FEATURE}(?!.+/(?:server|web)/).+$`;
const SERVER = `${FEATURE}.+/server/`;
const WEB = `${FEATURE}.+/web/`;
const STORE = `${FEATURE}.+[/-]store\\.ts$`;
const ROUTES = `${FEATURE}.+[/-]routes\\.ts$`;
/** The code that turns a message into a sentence; everything else passes messages on. */
const MESSAGE_READERS = [
  '^src/server/i18n/',
  '^src/server/log\\.ts$',
  '^src/web/i18n/translate\\.ts$',
  '^src/app/web/[a-z-]+-messages\\.ts$',
];
const CATALOGS = '^src/shared/i18n/(?:[a-z-]+-messages|message-catalog|page-language)\\.ts$';
const MESSAGES = '/messages[a-z.-]*\\.[a-z]+\\.json$';

/** `from` may import, of our own code, only what `to` names. */
function only(name, comment, from, to, fromNot = []) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: from, pathNot: [TEST, ...fromNot] },
    to: { path: '^(src|test|scripts)/', pathNot: to },
  };
}

/** `from` may not import `to`. */
function never(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

export default {
  forbidden: [
    only('shared-imports-nothing', 'shared/ serves both sides: packages and messages only', '^src/shared/', [
      '^src/shared/',
      MESSAGES,
    ]),
    never(
      'shared-without-node',
      'shared/ and contracts run in the browser too',
      { path: ['^src/shared/', CONTRACT], pathNot: TEST },
      { dependencyTypes: ['core'] },
    ),
    only('contract-imports-contracts', 'a contract imports shared/ and other contracts', CONTRACT, [
      '^src/shared/',
      CONTRACT,
    ]),
    never(
      'message-readers',
      'few files read the message catalogs: MESSAGE_READERS in .dependency-cruiser.mjs',
      { path: '^src/', pathNot: ['^src/shared/i18n/', ...MESSAGE_READERS, TEST] },
      { path: CATALOGS },
    ),

    only(
      'feature-server-imports',
      "a feature's server imports shared/, contracts, servers of features and src/server",
      SERVER,
      ['^src/shared/', CONTRACT, SERVER, '^src/server/'],
    ),
    never(
      'config-stays-in-server',
      'features get their settings through deps',
      { path: SERVER, pathNot: TEST },
      { path: '^src/server/config\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    never(
      'not-another-features-store-or-routes',
      'another feature is reached through its actions',
      { path: '^src/features/([^/]+)/' },
      { path: [STORE, ROUTES], pathNot: '^src/features/$1/' },
    ),
    never(
      'users-never-imports-auth',
      'auth imports users; users calls it through the hooks in users/server/sign-in-hooks.ts',
      { path: '^src/features/users/', pathNot: TEST },
      { path: '^src/features/auth/' },
    ),
    never(
      'store-never-actions-or-routes',
      'routes -> actions -> store, downwards only',
      { path: STORE },
      { path: SERVER, pathNot: STORE },
    ),
    never(
      'only-app-imports-routes',
      'routes -> actions -> store, downwards only',
      { path: '^src/', pathNot: ['^src/app/server/app\\.ts$', ROUTES, TEST] },
      { path: ROUTES },
    ),
    never(
      'nothing-below-imports-operations-privacy-or-audit',
      'these three read every other feature, so no other feature imports them',
      { path: '^src/features/(?!operations|privacy|audit)' },
      { path: '^src/features/(operations|privacy|audit)/(?!.*contract\\.ts$|.*messages)' },
    ),
    only(
      'server-knows-no-feature',
      'src/server is infrastructure: it imports shared/ and itself',
      '^src/server/',
      ['^src/server/', '^src/shared/'],
    ),
    never(
      'nothing-imports-the-app',
      'src/app composes the features: what others need belongs below it',
      { path: '^src/(?!app/)', pathNot: TEST },
      { path: '^src/app/' },
    ),
    only(
      'app-server-imports',
      'the server side of the app imports shared/, src/server, contracts and servers of features',
      '^src/app/server/',
      ['^src/app/server/', '^src/server/', '^src/shared/', CONTRACT, SERVER],
    ),
    only('app-worker-imports', 'the service worker imports shared/ and itself', '^src/app/worker/', [
      '^src/app/worker/',
      '^src/shared/',
    ]),
    only(
      'app-web-imports',
      'the browser side of the app imports shared/, src/web, contracts and web folders of features',
      '^src/app/web/',
      ['^src/app/web/', '^src/web/', '^src/shared/', CONTRACT, WEB],
    ),
    never(
      'drivers-stay-in-db',
      'which database it is, is known in server/db only',
      { path: '^src/', pathNot: '^src/server/db/' },
      { path: ['^node_modules/better-sqlite3/', '^node_modules/pg/'] },
    ),
    only(
      'feature-web-imports',
      "a feature's web imports shared/, contracts, web folders of features and src/web",
      WEB,
      ['^src/shared/', CONTRACT, WEB, '^src/web/'],
    ),
    only('web-knows-no-feature', 'src/web is infrastructure: it imports shared/ and itself', '^src/web/', [
      '^src/shared/',
      '^src/web/',
    ]),
    never(
      'web-never-server',
      'what both sides share belongs in contracts, types included',
      { path: ['^src/web/', '^src/app/web/', WEB] },
      { path: ['^src/server/', '^src/app/server/', SERVER] },
    ),
    never(
      'server-never-web',
      'what both sides share belongs in contracts, types included',
      { path: ['^src/server/', '^src/app/server/', SERVER] },
      { path: ['^src/web/', '^src/app/web/', WEB] },
    ),

    never('no-circular', 'a cycle has no first thing to read', { path: '^src/' }, { circular: true }),
    never(
      'resolvable',
      'an import that resolves to nothing escapes every other rule',
      { path: '^src/' },
      { couldNotResolve: true },
    ),
    never(
      'product-without-tests',
      'the product imports no test code',
      { path: '^src/', pathNot: TEST },
      { path: ['^test/', TEST] },
    ),
    never(
      'product-without-dev-dependencies',
      'list it under dependencies',
      { path: '^src/', pathNot: TEST },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^test/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
