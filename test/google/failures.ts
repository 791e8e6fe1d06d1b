/** The steps of a sync that may fail; `remove` is also the PATCH that moves to the trash. */
export const STEPS = [
  'token',
  'about',
  'generateIds',
  'list',
  'get',
  'createFolder',
  'uploadWhole',
  'startUpload',
  'sendChunk',
  'askUpload',
  'remove',
] as const;
export type Step = (typeof STEPS)[number];

/**
 * The faults: an error before or after the step was done, a connection closed before or after it, an upload of which only half
 * arrives, or an event at that time. Events: folders are deleted or moved to the trash, Google drops the uploads in progress,
 * or the account's owner revokes access.
 */
export const FAULTS = {
  unauthorized: { status: 401, reason: 'authError' },
  rate: { status: 403, reason: 'userRateLimitExceeded' },
  tooMany: { status: 429, reason: 'rateLimitExceeded' },
  broken: { status: 500, reason: 'backendError' },
  doneButBroken: { status: 503, reason: 'backendError', isDone: true },
  cut: { isCut: true },
  doneButCut: { isCut: true, isDone: true },
  half: { isHalf: true, isCut: true },
  full: { status: 403, reason: 'storageQuotaExceeded' },
  off: { status: 403, reason: 'accessNotConfigured' },
  refused: { status: 403, reason: 'insufficientFilePermissions' },
  folderDeleted: { isFolderDeleted: true },
  folderTrashed: { isFolderTrashed: true },
  sessionGone: { isSessionGone: true },
  revoked: { isRevoked: true },
} as const satisfies Readonly<Record<string, Fault>>;
export type FaultName = keyof typeof FAULTS;

export type Fault = Readonly<{
  status?: number;
  reason?: string;
  isDone?: true;
  isCut?: true;
  isHalf?: true;
  isFolderDeleted?: true;
  isFolderTrashed?: true;
  isSessionGone?: true;
  isRevoked?: true;
}>;

type Planned = { step: Step; fault: Fault; after: number; times: number };

/** Planned faults that have not happened yet. */
export type Faults = Readonly<{
  /** Makes a step fail `times` times after it has succeeded `after` times. */
  plan: (step: Step, fault: FaultName, options?: { after?: number; times?: number }) => void;
  /** Returns the fault of this step, if it is due. */
  take: (step: Step) => Fault | undefined;
  /** Whether every planned fault has happened. */
  areOver: () => boolean;
  clear: () => void;
}>;

export function noFaults(): Faults {
  let planned: Planned[] = [];
  return {
    plan: (step, fault, { after = 0, times = 1 } = {}) => {
      planned.push({ step, fault: FAULTS[fault], after, times });
    },
    take: (step) => {
      const next = planned.find((one) => one.step === step);
      if (next === undefined) return undefined;
      if (next.after > 0) {
        next.after -= 1;
        return undefined;
      }
      next.times -= 1;
      if (next.times === 0) planned = planned.filter((one) => one !== next);
      return next.fault;
    },
    areOver: () => planned.length === 0,
    clear: () => {
      planned = [];
    },
  };
}
