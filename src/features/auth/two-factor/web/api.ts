import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { confirmTotp, getSecondFactor, newRecoveryCodes, removeTotp, startTotpSetup } from '../contract.ts';

const OWN = ['second-factor'];
const NEW_CODES = ['new-recovery-codes'];

/** Where recovery codes were created. Each section shows its own. */
type Maker = 'app' | 'passkey';
type NewCodes = Readonly<{ by: Maker; codes: readonly string[] }>;

/** The viewer's second factor. */
export function useSecondFactor() {
  return useQuery({ queryKey: OWN, queryFn: () => call(getSecondFactor), staleTime: 0 });
}

/** Returns a function that refetches the viewer's second factor after a change. */
export function useInvalidateSecondFactor(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: OWN });
}

/** Changes to the viewer's second factor. */
export function useSecondFactorChanges() {
  const onSettled = useInvalidateSecondFactor();
  return {
    offer: useMutation({ mutationFn: () => call(startTotpSetup) }),
    confirm: async (code: string) => {
      const reply = await call(confirmTotp, { body: { code } });
      onSettled();
      return reply;
    },
    remove: useMutation({ mutationFn: () => call(removeTotp), onSettled }),
    renew: useMutation({ mutationFn: () => call(newRecoveryCodes), onSettled }),
  };
}

/**
 * Recovery codes that were just created. The server returns them only once, so they stay until the user confirms that they are
 * saved or signs out. Escape closes the dialog, and opening it again shows them.
 */
export function useNewRecoveryCodes(by: Maker) {
  const client = useQueryClient();
  const { data } = useQuery<NewCodes | null>({
    queryKey: NEW_CODES,
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return {
    codes: data?.by === by ? data.codes : undefined,
    show: (codes: readonly string[]) => client.setQueryData(NEW_CODES, { by, codes } satisfies NewCodes),
    forget: () => client.setQueryData(NEW_CODES, null),
  };
}
