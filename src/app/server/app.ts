import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import multipart from '@fastify/multipart';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { mountCategories } from '#features/activities/categories/server/routes.ts';
import { mountActivities } from '#features/activities/server/routes.ts';
import { mountSuggestions } from '#features/activities/suggestions/server/routes.ts';
import { mountAudit } from '#features/audit/server/routes.ts';
import { mountProviderLogouts, mountProviderRedirects } from '#features/auth/oidc/server/routes.ts';
import { mountAuth } from '#features/auth/server/routes.ts';
import { signInHooks } from '#features/auth/server/users-hooks.ts';
import { findViewer } from '#features/auth/sessions/server/actions.ts';
import {
  readTwoFactorRequirement,
  saveTwoFactorRequirement,
} from '#features/auth/two-factor/server/requirement.ts';
import { mountTwoFactor } from '#features/auth/two-factor/server/routes.ts';
import { mountTimeEntryImports } from '#features/imports/hours/server/routes.ts';
import { mountUserImports } from '#features/imports/people/server/routes.ts';
import { mountAnnouncements, mountReminders } from '#features/notifications/server/routes.ts';
import { mountUnsubscribePage } from '#features/notifications/unsubscribe/server/routes.ts';
import { mountAccessibilityStatement } from '#features/operations/accessibility/server/routes.ts';
import { openMetrics } from '#features/operations/server/metrics.ts';
import { mountMetrics } from '#features/operations/server/metrics-routes.ts';
import { mountSystem } from '#features/operations/server/routes.ts';
import { mountDriveCallback } from '#features/photos/google-drive/server/callback-routes.ts';
import { mountDriveSync } from '#features/photos/google-drive/server/routes.ts';
import { stopWaiting } from '#features/photos/google-drive/server/worker-signals.ts';
import { mountPhotos } from '#features/photos/server/routes.ts';
import { readRetention, saveRetention } from '#features/privacy/retention/server/periods.ts';
import { mountRetention } from '#features/privacy/retention/server/routes.ts';
import { mountPrivacy } from '#features/privacy/server/routes.ts';
import { mountAnalytics } from '#features/reports/analytics/server/routes.ts';
import { mountLetters } from '#features/reports/service-letters/server/routes.ts';
import { mountManifest } from '#features/schools/district-settings/server/manifest-routes.ts';
import { mountDistrict, mountDistrictSettings } from '#features/schools/district-settings/server/routes.ts';
import type { SettingsSections } from '#features/schools/district-settings/server/settings-form.ts';
import { mountSchools } from '#features/schools/server/routes.ts';
import { mountGoals } from '#features/time-entries/goals/server/routes.ts';
import { mountTimeEntries } from '#features/time-entries/server/routes.ts';
import { mountHouseholds } from '#features/users/households/server/routes.ts';
import { mountMerges } from '#features/users/merging/server/routes.ts';
import { mountUsers } from '#features/users/server/routes.ts';
import { registerSignInHooks } from '#features/users/server/sign-in-hooks.ts';
import { tryEmailVerifierNow } from '#features/verification/external-verifiers/server/emails.ts';
import {
  mountExternalVerifierPage,
  mountExternalVerifierRoutes,
} from '#features/verification/external-verifiers/server/routes.ts';
import { mountVerification } from '#features/verification/server/routes.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { UNSUBSCRIBE_PATH } from '#server/email/unsubscribe-link.ts';
import { stopExports } from '#server/export/running-exports.ts';
import { serveBrowserPages } from '#server/http/browser-pages.ts';
import { replyWithError } from '#server/http/error-replies.ts';
import { openFailedRequests } from '#server/http/failed-requests.ts';
import { JSON_BODY_BYTES, readJsonBodies } from '#server/http/json-body.ts';
import { endUploadsSoon } from '#server/http/multipart.ts';
import { MOST_DELAY_MS, rejectOnOverload } from '#server/http/overload.ts';
import { warnAboutUnknownProxy } from '#server/http/proxy-warning.ts';
import { openReadiness } from '#server/http/readiness.ts';
import { setRequestLocale } from '#server/http/request-language.ts';
import {
  logRequests,
  observeRequests,
  REQUEST_ID_HEADER,
  replyToUnreadableRequest,
} from '#server/http/request-log.ts';
import {
  checkRoutePermissions,
  createMount,
  rejectOtherMethods,
  requiresSession,
} from '#server/http/route-mount.ts';
import { translate } from '#server/i18n/translator.ts';
import { ACCESSIBILITY_PATH } from '#shared/accessibility-path.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { STORAGE_HEADER } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { SERVER_JOBS } from './job-list.ts';

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 120_000;
const CHECK_CONNECTIONS_MS = 1_000;
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
const HTTPS_ONLY = 'max-age=31536000';

const SETTINGS_SECTIONS: SettingsSections = {
  twoFactor: { read: readTwoFactorRequirement, save: saveTwoFactorRequirement },
  retention: { read: readRetention, save: saveRetention },
};

/**
 * `pages` is the folder of the built web app. With `isReplyChecked`, a reply that violates its contract counts as a
 * bug. `mostDelayMs` is the event loop delay above which calls are rejected.
 */
export type AppOptions = Readonly<{
  pages?: string;
  isReplyChecked?: boolean;
  isStarted?: () => boolean;
  mostDelayMs?: number;
}>;

// Long because the order of the hooks and plugins matters and is read from top to bottom.
/** Builds the server: hooks and plugins, then one line per feature. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  registerSignInHooks(signInHooks);
  const log: FastifyBaseLogger = deps.log;
  const failures = openFailedRequests(deps);
  const { metricsToken } = deps.config;
  const metrics = metricsToken === undefined ? undefined : openMetrics(deps);
  const logRequest = logRequests(deps);
  const watch = observeRequests((past, isLong) => {
    logRequest(past, isLong);
    failures.note(past, deps.clock.now());
    metrics?.note(past);
  });
  const answerError = replyWithError(deps);
  const app = fastify({
    loggerInstance: log,
    // Paths may contain a token, so the framework's request log is off.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: deps.config.trustedProxies.length === 0 ? false : [...deps.config.trustedProxies],
    bodyLimit: JSON_BODY_BYTES,
    routerOptions: { maxParamLength: 300, ignoreDuplicateSlashes: false },
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/api\/api(?=\/)/, '/api'),
    // Errors before routing; no hook runs for them.
    frameworkErrors: (error, request, reply) => {
      watch(request, reply);
      answerError(error, request, reply);
    },
    clientErrorHandler: replyToUnreadableRequest(deps),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // Rejected below, with the request's id.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  const taken = checkRoutePermissions(app);
  setRequestLocale(app, deps);
  // Callback hooks, because an async hook makes every request wait for another tick.
  app.addHook('onRequest', (request, reply, done) => {
    watch(request, reply);
    const isLost = request.raw.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(isLost ? errors.invalid(commonMessages.invalidRequest) : undefined);
  });
  await rejectOnOverload(app, options.mostDelayMs ?? MOST_DELAY_MS);
  // Page files and the liveness check do not depend on the settings.
  app.addHook('preValidation', (request, _reply, done) => {
    const { url = '' } = request.routeOptions;
    const isPage = !url.startsWith('/api/') && url !== UNSUBSCRIBE_PATH && url !== ACCESSIBILITY_PATH;
    if (isPage || requiresSession(request)) return done();
    deps.settings.refresh().then(() => done(), done);
  });
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { [REQUEST_ID_HEADER]: randomUUID() }).end();
  });
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  warnAboutUnknownProxy(app, deps);
  app.addHook('onSend', (request, reply, payload, done) => {
    // Matched by route, because '/%61pi' is another spelling of the path.
    if (!(request.routeOptions.url ?? request.url).startsWith('/api')) return done(null, payload);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    // If a reply is opened as a page, nothing in it runs, and no other page can frame it.
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', API_POLICY);
    if (isHttps) reply.header('strict-transport-security', HTTPS_ONLY);
    if (deps.database.engine === 'sqlite' && deps.diskReserve.isReleased())
      reply.header(STORAGE_HEADER, 'full');
    done(null, payload);
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send({ error: translate(deps, commonMessages.notFound) });
  });
  readJsonBodies(app, deps);
  await app.register(multipart);
  answerHealth(app, openReadiness(deps, options.isStarted ?? (() => true)));

  const sessions = withConnectionPool(deps, 'sessions');
  const mount = createMount(
    app,
    deps,
    (token, request) => findViewer(sessions, token, request),
    options.isReplyChecked === true,
  );
  mountDistrict(mount, deps);
  mountDistrictSettings(mount, deps, SETTINGS_SECTIONS);
  mountManifest(app, deps);
  mountSchools(mount, deps);
  mountTwoFactor(mount, deps);
  mountAuth(mount, deps);
  mountUsers(mount, deps);
  mountProviderRedirects(app, deps);
  await mountProviderLogouts(app, deps);
  mountUserImports(mount, deps);
  mountCategories(mount, deps);
  mountActivities(mount, deps);
  mountSuggestions(mount, deps);
  mountTimeEntries(mount, deps, tryEmailVerifierNow);
  mountTimeEntryImports(mount, deps);
  mountGoals(mount, deps);
  mountHouseholds(mount, deps);
  mountReminders(mount, deps);
  mountAnnouncements(mount, deps);
  mountVerification(mount, deps);
  mountLetters(mount, deps);
  mountExternalVerifierRoutes(mount, deps);
  mountPhotos(mount, deps);
  mountDriveSync(mount, deps);
  mountDriveCallback(app, deps);
  mountAnalytics(mount, deps);
  mountAudit(mount, deps);
  mountRetention(mount, deps, SETTINGS_SECTIONS);
  mountMerges(mount, deps);
  mountPrivacy(mount, deps);

  mountSystem(mount, deps, { jobs: SERVER_JOBS, failures, startedAt: deps.clock.now() });
  if (metrics !== undefined && metricsToken !== undefined) {
    mountMetrics(app, metrics, metricsToken);
    app.addHook('onClose', async () => metrics.close());
  }

  rejectOtherMethods(app, deps, taken);
  mountExternalVerifierPage(app, deps);
  mountUnsubscribePage(app, deps);
  mountAccessibilityStatement(app, deps);
  app.addHook('preClose', async () => endUploadsSoon(deps.config.dataDir));
  app.addHook('preClose', () => stopExports(deps));
  app.addHook('preClose', () => failures.flush());
  app.addHook('preClose', async () => stopWaiting(deps));
  if (options.pages !== undefined) await app.register(serveBrowserPages(deps, options.pages));
  return app;
}

// /healthz: the process runs. /readyz: it has started and can write to its storage.
function answerHealth(app: FastifyInstance, requireReady: () => Promise<void>): void {
  app.get('/healthz', { config: { gate: 'public' } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { gate: 'public' } }, async () => {
    await requireReady();
    return { status: 'ready' };
  });
}
