import type { ComponentProps } from 'react';
import { OwnState as StateOfHours } from '#rooms/time-entries/web/own-verification.tsx';
import { AskedAbout } from '#rooms/verification/web/own-asked.tsx';

// What shows a volunteer where their hours stand.
export { StateFilter, verifiedPart } from '#rooms/time-entries/web/own-verification.tsx';

/** Where hours stand, and who outside was asked about them. */
export function OwnState(props: ComponentProps<typeof StateOfHours>) {
  return <StateOfHours {...props} asked={<AskedAbout {...props} />} />;
}
