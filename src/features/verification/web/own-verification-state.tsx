import type { ComponentProps } from 'react';
import { OwnState as StateOfHours } from '#features/time-entries/web/own-verification-status.tsx';
import { VerifierRequestStatus } from '../external-verifiers/web/own-request-status.tsx';

// What shows a volunteer where their hours stand.
export { StateFilter, verifiedPart } from '#features/time-entries/web/own-verification-status.tsx';

/** Where hours stand, and who outside was asked about them. */
export function OwnState(props: ComponentProps<typeof StateOfHours>) {
  return <StateOfHours {...props} asked={<VerifierRequestStatus {...props} />} />;
}
