import type { ComponentProps } from 'react';
import { OwnVerificationState as EntryState } from '#features/time-entries/web/own-verification-status.tsx';
import { VerifierRequestStatus } from '../external-verifiers/web/own-request-status.tsx';

export {
  StateFilter,
  verifiedHoursLabel,
} from '#features/time-entries/web/own-verification-status.tsx';

/** The verification of an entry, with the request to its external verifier. */
export function OwnVerificationState(props: ComponentProps<typeof EntryState>) {
  return <EntryState {...props} asked={<VerifierRequestStatus {...props} />} />;
}
