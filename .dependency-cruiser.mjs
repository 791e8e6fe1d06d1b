/** Rooms import only to their left: no cycles, and the rightmost room can be taken out. */
const ROOMS = [
  'district',
  'schools',
  'second-proof',
  'users',
  'user-imports',
  'categories',
  'activities',
  'suggestions',
  'time-entries',
  'time-entry-imports',
  'goals',
  'households',
  'reminders',
  'mailings',
  'verification',
  'accessibility',
  'letters',
  'photos',
  'drive-sync',
  'analytics',
  'audit',
  'retention',
  'merges',
  'own-data',
  'system',
];

const TEST = '\\.test\\.tsx?$';
const ROOM = '^src/rooms/[^/]+/';
/** What both sides of a room read: its contract and whatever else stands directly in its folder. */
const CONTRACT = `${ROOM}[^/]+$`;
const STORE = `${ROOM}server/[a-z/-]*store\\.ts$`;
const ROUTES = `${ROOM}server/[a-z/-]*routes\\.ts$`;
/** Who turns a message into a sentence; everybody else passes messages on. */
const TEXT_READERS = [
  '^src/server/(?:speech|texts-in|log)\\.ts$',
  '^src/server/http/errors\\.ts$',
  '^src/web/lib/text\\.ts$',
  '^src/app/web/views/[a-z-]+-texts\\.ts$',
];
const TEXT = '(^|/)[a-z-]*text\\.[a-z]+\\.json$';

const leftward = ROOMS.map((room, index) => ({
  name: `${room}-imports-only-leftward`,
  comment: `rooms are ordered: ${ROOMS.join(' < ')}`,
  severity: 'error',
  from: { path: `^src/rooms/${room}/` },
  to: { path: '^src/rooms/', pathNot: `^src/rooms/(${ROOMS.slice(0, index + 1).join('|')})/` },
}));

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
    ...leftward,
    never(
      'room-without-a-place',
      'add the room to ROOMS in .dependency-cruiser.mjs',
      {
        path: '^src/rooms/',
        pathNot: `^src/rooms/(${ROOMS.join('|')})/`,
      },
      {},
    ),

    only('base-imports-nothing', 'base/ speaks for both sides: packages only', '^src/base/', '^src/base/'),
    never(
      'base-without-node',
      'base/ and contracts run in the browser too',
      { path: ['^src/base/', CONTRACT], pathNot: TEST },
      {
        dependencyTypes: ['core'],
      },
    ),
    only('contract-imports-contracts', 'a contract imports base/ and the contracts to its left', CONTRACT, [
      '^src/base/',
      CONTRACT,
    ]),
    only('text-imports-texts', 'src/text merges the texts and knows nothing else', '^src/text/', [
      '^src/text/',
      '^src/base/',
      TEXT,
    ]),
    never(
      'who-reads-text',
      'the catalogue is read in few places: TEXT_READERS in .dependency-cruiser.mjs',
      {
        path: '^src/',
        pathNot: ['^src/text/', ...TEXT_READERS, TEST],
      },
      { path: '^src/text/' },
    ),

    only(
      'room-server-imports',
      "a room's server imports base/, contracts, servers of rooms and src/server without config",
      `${ROOM}server/`,
      ['^src/base/', CONTRACT, `${ROOM}server/`, '^src/server/(?!config\\.ts$)'],
    ),
    never(
      'not-another-rooms-store-or-routes',
      'another room is reached through its actions',
      { path: '^src/rooms/([^/]+)/' },
      { path: [STORE, ROUTES], pathNot: '^src/rooms/$1/' },
    ),
    never(
      'store-never-actions-or-routes',
      'routes -> actions -> store, downwards only',
      { path: STORE },
      { path: `${ROOM}server/`, pathNot: STORE },
    ),
    never(
      'only-app-imports-routes',
      'routes -> actions -> store, downwards only',
      { path: '^src/', pathNot: ['^src/app/server/app\\.ts$', ROUTES, TEST] },
      { path: ROUTES },
    ),
    only('server-knows-no-room', 'src/server is ground: it imports base/, text/ and itself', '^src/server/', [
      '^src/server/',
      '^src/base/',
      '^src/text/',
    ]),
    never(
      'nobody-imports-the-roof',
      'src/app composes the rooms: what others need stands below it',
      { path: '^src/(?!app/)', pathNot: TEST },
      { path: '^src/app/' },
    ),
    only(
      'app-server-imports',
      'the roof of the server side imports base/, text/, src/server, contracts and servers of rooms',
      '^src/app/server/',
      ['^src/app/server/', '^src/server/', '^src/base/', '^src/text/', CONTRACT, `${ROOM}server/`],
    ),
    only('app-worker-imports', 'the worker imports base/ and itself', '^src/app/worker/', [
      '^src/app/worker/',
      '^src/base/',
    ]),
    only(
      'app-web-imports',
      'the roof of the browser side imports base/, src/web, contracts and web parts of rooms',
      '^src/app/web/',
      ['^src/app/web/', '^src/web/', '^src/base/', CONTRACT, `${ROOM}web/`],
      TEXT_READERS,
    ),
    never(
      'drivers-stay-in-db',
      'which database it is, is known in server/db only',
      { path: '^src/', pathNot: '^src/server/db/' },
      { path: ['^node_modules/better-sqlite3/', '^node_modules/pg/'] },
    ),

    only(
      'room-web-imports',
      "a room's web imports base/, contracts, web parts of rooms, src/web/ui and src/web/lib",
      `${ROOM}web/`,
      ['^src/base/', CONTRACT, `${ROOM}web/`, '^src/web/(ui|lib)/'],
    ),
    only(
      'ui-knows-no-room',
      'src/web/ui and src/web/lib import base/ and each other',
      '^src/web/(ui|lib)/',
      ['^src/base/', '^src/web/(ui|lib)/'],
      TEXT_READERS,
    ),
    only(
      'readers-of-text-know-no-room',
      "they get at the rooms' sentences through src/text alone",
      '^src/web/lib/text\\.ts$',
      ['^src/base/', '^src/text/', '^src/web/(ui|lib)/'],
    ),
    never(
      'web-never-server',
      'what both sides share stands in contracts, types included',
      { path: ['^src/web/', '^src/app/web/', `${ROOM}web/`] },
      { path: ['^src/server/', '^src/app/server/', `${ROOM}server/`] },
    ),
    never(
      'server-never-web',
      'what both sides share stands in contracts, types included',
      { path: ['^src/server/', '^src/app/server/', `${ROOM}server/`] },
      { path: ['^src/web/', '^src/app/web/', `${ROOM}web/`] },
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
