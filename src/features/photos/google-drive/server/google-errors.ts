/**
 * Kinds of failure at Google. `rate` and `unreachable` are temporary. `lost`: the connection no longer works. `client`:
 * Google rejects this installation's id or secret. `unauthorized`: the access token has expired. `full`, `apiOff` and
 * `refused`: a person must act. `gone` and `taken` are about one file. `unexpected` should not happen.
 */
export type FailureKind =
  | 'rate'
  | 'unreachable'
  | 'lost'
  | 'client'
  | 'unauthorized'
  | 'full'
  | 'apiOff'
  | 'refused'
  | 'gone'
  | 'taken'
  | 'unexpected';

/** A failed call to Google. Its text is for the log and never contains a token or a name. */
export class DriveFailure extends Error {
  readonly kind: FailureKind;
  /** The delay before a retry that Google requested, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, text: string, retryAfterMs?: number) {
    super(text);
    this.name = 'DriveFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.kind === 'rate' || this.kind === 'unreachable';
  }
}

/** Converts any error to a DriveFailure. An error that is not a reply from Google counts as a broken connection. */
export function toDriveFailure(error: unknown): DriveFailure {
  if (error instanceof DriveFailure) return error;
  return new DriveFailure('unreachable', error instanceof Error ? error.message : String(error));
}

const RATE_REASONS: readonly string[] = [
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
  'backendError',
];
const FULL_REASONS: readonly string[] = [
  'storageQuotaExceeded',
  'teamDriveFileLimitExceeded',
  'numChildrenInNonRootLimitExceeded',
];
const DISABLED_REASONS: readonly string[] = ['accessNotConfigured', 'SERVICE_DISABLED'];

/** Maps an unsuccessful reply of the Drive API to a failure. */
export async function readFailure(response: Response): Promise<DriveFailure> {
  const { status } = response;
  const reasons = parseReasons(await response.text().catch(() => ''));
  const text = `${status} ${reasons.join(' ')}`.trim();
  const is = (known: readonly string[]) => reasons.some((reason) => known.includes(reason));
  if (status === 401) return new DriveFailure('unauthorized', text);
  if (is(FULL_REASONS)) return new DriveFailure('full', text);
  if (is(DISABLED_REASONS)) return new DriveFailure('apiOff', text);
  if (status === 429 || (status === 403 && is(RATE_REASONS)))
    return new DriveFailure('rate', text, parseRetryAfter(response));
  if (status === 403) return new DriveFailure('refused', text);
  if (status === 404 || status === 410) return new DriveFailure('gone', text);
  if (status === 409) return new DriveFailure('taken', text);
  if (status >= 500 || status === 408)
    return new DriveFailure('unreachable', text, parseRetryAfter(response));
  return new DriveFailure('unexpected', text);
}

function parseReasons(body: string): string[] {
  try {
    const { error } = JSON.parse(body);
    const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])];
    return [...reasons.map((one: { reason?: unknown }) => one.reason), error?.status].filter(
      (reason) => typeof reason === 'string',
    );
  } catch {
    return [];
  }
}

function parseRetryAfter(response: Response): number | undefined {
  const seconds = response.headers.get('retry-after') ?? '';
  return /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
