import './volunteer-messages.ts';
import { districtQuery } from '#features/schools/district-settings/web/api.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { queryClient } from '#web/api/query-client.ts';
import { onSessionEnd } from '#web/api/session.ts';
import { hasUnsaved, leavePage, reloadPage } from '#web/forms/unsaved-changes.ts';
import { PAGE_LANGUAGE, t } from '#web/i18n/translate.ts';
import { takeOver } from '#web/offline/reload-new-version.ts';
import { notify } from '#web/ui/toasts.ts';

/** The worker that caches the page of this language (src/app/worker). */
const WORKER = PAGE_LANGUAGE === LANGUAGES[0] ? '/sw.js' : `/sw.${PAGE_LANGUAGE}.js`;

/** How often an open page checks for a new version. */
const CHECK_EVERY_MS = 3_600_000;
const IDLE_MS = 1_000;
const TYPED_IN = 'input:focus:not([type=radio], [type=checkbox]), textarea:focus';

type Policies = Readonly<{
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => Readonly<{ createScriptURL: (given: string) => string }>;
}>;

let isOffered = false;
let isExpected = false;

/**
 * Registers the worker that caches the page, so it opens without a network and faster with one, and offers to reload
 * once there is a new version. Does nothing if the browser has no workers, as in old browsers or without https.
 */
export async function registerServiceWorker(): Promise<void> {
  const { serviceWorker: workers } = navigator;
  if (workers === undefined) return;
  const registration = await workers.getRegistration();
  const { hasNoWorker } = await queryClient.ensureQueryData(districtQuery);
  // The worker that replaces it removes itself.
  if (hasNoWorker === true) return void (await registration?.update());
  let isFirst = workers.controller === null;
  workers.addEventListener('controllerchange', () => {
    // Another tab has activated the new version.
    if (!isFirst && !isExpected) offerReload(reloadPage);
    isFirst = false;
  });
  watch(await workers.register(trusted(WORKER), { updateViaCache: 'none' }));
}

// The page's content security policy allows worker URLs only through this Trusted Types policy, which allows one.
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  return (
    trustedTypes?.createPolicy('worker', { createScriptURL: () => address }).createScriptURL('') ?? address
  );
}

function watch(registration: ServiceWorkerRegistration): void {
  const look = () => lookAt(registration);
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();
  onSessionEnd(() => {
    // The end of a session has closed its notices.
    isOffered = false;
    setTimeout(look);
  });
  let checkedAt = Number.NEGATIVE_INFINITY;
  const ask = () => {
    if (document.visibilityState === 'hidden' || performance.now() - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = performance.now();
    registration.update().catch(() => removeIfGone(registration).catch(() => undefined));
  };
  ask();
  document.addEventListener('visibilitychange', ask);
  setInterval(ask, CHECK_EVERY_MS);
}

function lookAt({ waiting, active }: ServiceWorkerRegistration): void {
  if (waiting === null || active === null) return;
  if (waiting.scriptURL !== active.scriptURL) {
    // The page is in another language now, so its cache follows.
    isExpected = true;
    void takeOver(waiting);
    return;
  }
  offerReload(() => {
    isExpected = true;
    void takeOver(waiting).then(reloadPage);
  });
}

// Once, and not while the user is typing, a dialog is open or a photo is uploading.
function offerReload(reload: () => void): void {
  if (isOffered) return;
  isOffered = true;
  const offerWhenIdle = () => {
    if (isBusy()) return void setTimeout(offerWhenIdle, IDLE_MS);
    notify.offer(t('web:newVersion'), { text: t('web:reload'), accept: () => leavePage(reload) });
  };
  offerWhenIdle();
}

function isBusy(): boolean {
  const field = document.querySelector<HTMLInputElement>(TYPED_IN);
  const isTyping = field !== null && field.value !== '';
  return isTyping || hasUnsaved() || document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}

// An older server version has no worker file; its page would never load unless this worker is removed.
async function removeIfGone(registration: ServiceWorkerRegistration): Promise<void> {
  const { status } = await fetch(WORKER, { method: 'HEAD', cache: 'no-store' });
  if (status !== 404 && status !== 410) return;
  await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  offerReload(reloadPage);
}
