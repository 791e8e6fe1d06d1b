import './verification-texts.ts';
import './verifier-texts.ts';
import type { User } from '#rooms/users/contract.ts';
import {
  VerifierDesk as DeskOfSchool,
  type VerifierDeskProps,
} from '#rooms/verification/web/admin-verifier-desk.tsx';
import { MayContext, mayOf } from '#web/lib/may.ts';

/** The desk where hours are verified, with its texts, for whoever may verify. */
export function VerifierDesk({ user, ...props }: VerifierDeskProps & { user: User }) {
  return (
    <MayContext value={mayOf(user)}>
      <DeskOfSchool {...props} />
    </MayContext>
  );
}
