import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import { CallError, call } from '#web/api/call.ts';
import { pagesOf } from '#web/api/infinite-pages.ts';
import { say } from '#web/i18n/translate.ts';
import {
  createSuggestion,
  getMailChoice,
  listMySuggestions,
  type MailChange,
  messages,
  type Status,
  setMailChoice,
} from '../contract.ts';

type Page = ReplyOf<typeof listMySuggestions>;

/** Fetches the viewer's own suggestions, latest first, of one status or all, with counts by status. */
export function useMySuggestions(status: Status | undefined) {
  return useInfiniteQuery(
    pagesOf(
      ['suggestions', 'mine', status ?? 'all'],
      ({ cursor, signal }): Promise<Page> =>
        call(listMySuggestions, { query: { status, cursor }, signal }).catch(withStatus),
      (pages) => ({
        suggestions: pages.flatMap((page) => page.suggestions),
        statusCounts: pages[0]?.statusCounts,
      }),
    ),
  );
}

/** Creates a suggestion. A retry after a lost reply does not create a second one. */
export function useSuggest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof createSuggestion>) => call(createSuggestion, { body }).catch(withStatus),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['suggestions'] }),
  });
}

const MAIL = ['suggestion-mail'];

/** Fetches the viewer's email preferences for suggestions. */
export function useSuggestionEmailPreference() {
  return useQuery({
    queryKey: MAIL,
    queryFn: ({ signal }) => call(getMailChoice, { signal }),
    select: ({ mail }) => mail,
  });
}

/** Updates the viewer's email preferences for suggestions. */
export function useUpdateSuggestionEmailPreference() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: MailChange) => call(setMailChoice, { body }),
    onSuccess: ({ mail }) => client.setQueryData(MAIL, { mail }),
  });
}

/** Rethrows an error without a server message as the specification's 'Request failed with status {n}' or 'HTTP {n}'. */
export function withStatus(error: unknown): never {
  if (!(error instanceof CallError) || error.isAnswered) throw error;
  const { http, failedWithStatus } = messages;
  const sentence = error.isReadable ? http(error.status) : failedWithStatus(error.status);
  throw new CallError(error.status, say(sentence), true, error.fields, error.isReadable);
}
