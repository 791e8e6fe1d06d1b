import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { addPasskey, listPasskeys, offerPasskey, removePasskey, renamePasskey } from '../passkey-contract.ts';
import { useInvalidateSecondFactor } from './api.ts';
import { createPasskey } from './webauthn.ts';

const KEY = ['passkeys'];

/** The viewer's passkeys. */
export function usePasskeys() {
  return useQuery({ queryKey: KEY, queryFn: () => call(listPasskeys), staleTime: 0 });
}

/** Changes to the viewer's passkeys, after which the list is refetched. */
export function usePasskeyChanges() {
  const client = useQueryClient();
  const changed = useInvalidateSecondFactor();
  const readAnew = () => {
    void client.invalidateQueries({ queryKey: KEY });
    changed();
  };
  const shown = <Reply>(reply: Reply): Reply => {
    readAnew();
    return reply;
  };
  return {
    add: async (name: string) => {
      const { options } = await call(offerPasskey);
      const passkey = await createPasskey(options);
      return shown(await call(addPasskey, { body: { name, passkey } }));
    },
    rename: async (id: number, name: string) =>
      shown(await call(renamePasskey, { params: { id }, body: { name } })),
    removal: useMutation({
      mutationFn: (id: number) => call(removePasskey, { params: { id } }),
      onSettled: readAnew,
    }),
  };
}
