import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { upload } from '#web/api/upload.ts';
import { removeDistrictLogo, uploadDistrictLogo } from '../../admin-contract.ts';
import { changeSettings, getSettings, testMailServer } from '../settings-contract.ts';
import { districtQuery } from './api.ts';

export type DistrictSettings = Pick<ReplyOf<typeof getSettings>, 'settings' | 'setByServer'>;

const settingsQuery = queryOptions({
  queryKey: ['admin', 'district-settings'],
  queryFn: ({ signal }) => call(getSettings, { signal }),
});

/** All settings of the district. */
export function useSettings() {
  return useQuery(settingsQuery);
}

/** Changes settings and refetches what shows the district's name. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof changeSettings>) => call(changeSettings, { body }),
    onSuccess: ({ message: _, ...saved }) => client.setQueryData(settingsQuery.queryKey, saved),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: districtQuery.queryKey });
      void client.invalidateQueries({ queryKey: ['admin', 'first-run'] });
    },
  });
}

/** Replaces or removes the district's logo and refetches the district's public data. */
export function useSaveDistrictLogo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ logo, onProgress }: { logo: File | 'removed'; onProgress: (sent: number) => void }) =>
      logo === 'removed'
        ? call(removeDistrictLogo)
        : upload(uploadDistrictLogo, {
            params: undefined,
            fields: {},
            file: logo,
            name: logo.name,
            onProgress,
            signal: new AbortController().signal,
          }),
    onSuccess: ({ logoUrl }) =>
      client.setQueryData(
        settingsQuery.queryKey,
        (now) => now && { ...now, settings: { ...now.settings, logoUrl } },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: districtQuery.queryKey }),
  });
}

/** Sends a test email through the saved mail server. */
export function useTryMailServer() {
  return useMutation({ mutationFn: (to: string) => call(testMailServer, { body: { to } }) });
}
