import type { Actor } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import type { Acting, Request } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { GrantedRights } from './account-permissions.ts';
import type { passwordChosenBy } from './store.ts';

/**
 * The sign-in methods that were removed from an account: providers by title, and whether there were passkeys, an authenticator
 * or sessions.
 */
export type RemovedSignIns = Readonly<{
  providers: readonly string[];
  passkeys: boolean;
  authenticator: boolean;
  sessions: boolean;
}>;

/**
 * `keep` is the session that does not end. `isSigningIn` means that this is the first factor of a sign-in whose second factor
 * is still pending.
 */
export type EmailProof = Readonly<{
  user: Row<'users'>;
  at: Instant;
  keep?: number | undefined;
  isSigningIn?: boolean;
}>;

export const NO_SIGN_INS_REMOVED: RemovedSignIns = {
  providers: [],
  passkeys: false,
  authenticator: false,
  sessions: false,
};

/** The rights that a user gains; `keep` is the session that does not end. */
export type RightsGain = Readonly<{ userId: number; gift: GrantedRights; keep?: number | undefined }>;

/**
 * The functions that users needs from auth. Auth imports users, so users cannot import auth. Instead, auth implements these
 * hooks and the app registers them when it starts.
 */
export type SignInHooks = Readonly<{
  /** Signs in to a newly registered account and remembers the device. Returns the session's token. */
  startFirstSession: (trx: Trx, deps: Deps, request: Request, userId: number) => Promise<string>;
  /** Remembers the browser and the network of a request as known devices of an account. */
  rememberDevice: (trx: Trx, deps: Deps, request: Request, userId: number) => Promise<void>;
  /** The ID of this account's session in the requesting browser; undefined if there is none. */
  findOwnSession: (db: Db, request: Request, userId: number) => Promise<number | undefined>;
  endSessions: (trx: Trx, userId: number) => Promise<void>;
  /** Creates a token of a link that sets a password. `isShown` means that an administrator sees the link too. */
  createPasswordLink: (
    trx: Trx,
    userId: number,
    at: Instant,
    hours: number,
    isShown?: boolean,
  ) => Promise<string>;
  deletePasswordLinks: (trx: Trx, userId: number) => Promise<void>;
  deleteMagicLinks: (trx: Trx, userId: number) => Promise<void>;
  /** Stores a password hash, or removes it (null). Without `chosen`, the record of who set the password does not change. */
  setPassword: (
    trx: Trx,
    userId: number,
    passwordHash: string | null,
    chosen?: ReturnType<typeof passwordChosenBy>,
  ) => Promise<void>;
  /** Resets all throttling of an account's sign-ins. */
  resetThrottling: (trx: Trx, user: { id: number; email_key: string }) => Promise<void>;
  queuePasswordChangedEmail: (trx: Trx, deps: Deps, user: Row<'users'>, at: Instant) => Promise<void>;
  /**
   * Removes passwords assigned by an administrator who could not grant the new rights. Returns how many. Every path that grants
   * rights calls this.
   */
  endAssignedPasswords: (
    trx: Trx,
    deps: Deps,
    acting: Acting,
    gains: readonly RightsGain[],
  ) => Promise<number>;
  /** Records that the owner of an email address confirmed it. Returns what the first confirmation removed. */
  markEmailProven: (trx: Trx, deps: Deps, proof: EmailProof) => Promise<RemovedSignIns>;
  queueRemovedSignInsEmail: (
    trx: Trx,
    deps: Deps,
    removal: { user: Row<'users'>; ended: RemovedSignIns; at: Instant },
  ) => Promise<void>;
  /** Removes provider links, passkeys, the authenticator app and recovery codes, and ends all sessions. */
  removeAttachedSignIns: (
    trx: Trx,
    deps: Deps,
    actor: Actor,
    account: { userId: number },
  ) => Promise<RemovedSignIns>;
  /** Removes an account's links to providers. Returns the providers' titles. */
  removeProviderLinks: (trx: Trx, deps: Deps, actor: Actor, userId: number) => Promise<string[]>;
  /** The title of the provider, if it is the account's only way to sign in besides a password; otherwise undefined. */
  findOnlyProvider: (trx: Trx, deps: Deps, userId: number) => Promise<string | undefined>;
  /** Whether a provider with configured domains admitted this account, which then needs no approval. */
  isApprovedByProvider: (trx: Trx, deps: Deps, user: { id: number; email: string }) => Promise<boolean>;
  /** Starts a new administrator's grace period for two-factor authentication, once. */
  startGracePeriod: (trx: Trx, userId: number, at: Instant) => Promise<void>;
}>;

let registered: SignInHooks | undefined;

/** Sets the hooks of this process. */
export function registerSignInHooks(hooks: SignInHooks): void {
  registered = hooks;
}

/** Returns the registered hooks. Throws if the process has not registered any. */
export function signIns(): SignInHooks {
  if (registered === undefined) throw new Error('No sign-in hooks: call registerSignInHooks first');
  return registered;
}
