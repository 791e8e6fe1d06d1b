import { createHash, randomBytes } from 'node:crypto';

/** The folder type of Drive. */
export const FOLDER = 'application/vnd.google-apps.folder';

/** A file or folder in the fake Drive. It has content only if content is stored. */
export type KeptFile = {
  id: string;
  account: string;
  name: string;
  mimeType: string;
  parents: string[];
  trashed: boolean;
  appProperties: Record<string, string>;
  size: number;
  sha256: string;
  content: Buffer | undefined;
  /** Whether the app made it; the scope `drive.file` shows only such files. */
  isOfApp: boolean;
};

/** A resumable upload. */
export type Session = {
  id: string;
  account: string;
  metadata: Metadata;
  type: string;
  total: number;
  received: Buffer[];
  bytes: number;
  done: KeptFile | undefined;
};

/** A caller's metadata for a new file. */
export type Metadata = Readonly<{
  id?: string;
  name?: string;
  mimeType?: string;
  parents?: string[];
  appProperties?: Record<string, string>;
}>;

/** An authorization code. */
export type Code = Readonly<{
  account: string;
  clientId: string;
  redirectUri: string;
  challenge: string;
  scope: string;
  isOffline: boolean;
}>;

export type State = {
  account: string;
  grantedScope: string | undefined;
  codes: Map<string, Code>;
  refreshTokens: Map<string, string>;
  accessTokens: Map<string, string>;
  issuedIds: Set<string>;
  files: Map<string, KeptFile>;
  sessions: Map<string, Session>;
};

/** The state of an empty Drive; `account` is the one that consents. */
export function emptyState(account: string): State {
  return {
    account,
    grantedScope: undefined,
    codes: new Map(),
    refreshTokens: new Map(),
    accessTokens: new Map(),
    issuedIds: new Set(),
    files: new Map(),
    sessions: new Map(),
  };
}

/** A random value with a prefix. */
export function unguessable(prefix: string): string {
  return `${prefix}${randomBytes(24).toString('base64url')}`;
}

/** SHA-256 in hex. */
export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Whether a file or one of its parent folders is in the trash. */
export function isTrashed(state: State, file: KeptFile): boolean {
  if (file.trashed) return true;
  return file.parents.some((id) => {
    const parent = state.files.get(id);
    return parent !== undefined && isTrashed(state, parent);
  });
}

/** Deletes a file permanently, with everything in it. */
export function deletePermanently(state: State, id: string): void {
  state.files.delete(id);
  for (const file of [...state.files.values()]) {
    if (file.parents.includes(id)) deletePermanently(state, file.id);
  }
}
