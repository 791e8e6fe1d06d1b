import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import { confirmTotp, getSecondFactor, newRecoveryCodes, offerTotp, removeTotp } from '../contract.ts';

const OWN = ['second-factor'];

/** One's own second proof. */
export function useSecondFactor() {
  return useQuery({ queryKey: OWN, queryFn: () => call(getSecondFactor), staleTime: 0 });
}

/** What changes it; the screen then reads it anew. */
export function useSecondFactorChanges() {
  const client = useQueryClient();
  const onSettled = () => void client.invalidateQueries({ queryKey: OWN });
  return {
    offer: useMutation({ mutationFn: () => call(offerTotp) }),
    confirm: async (code: string) => {
      const reply = await call(confirmTotp, { body: { code } });
      onSettled();
      return reply;
    },
    remove: useMutation({ mutationFn: () => call(removeTotp), onSettled }),
    renew: useMutation({ mutationFn: () => call(newRecoveryCodes), onSettled }),
  };
}
