import type { Deps } from '#server/deps.ts';
import { askedIn, type ListColumn, listFile } from '#server/export/list-file.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { type Acting, canAt, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { dayIn } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { AdminSuggestion, exportSuggestions, Status } from '../contract.ts';
import { listForAdministrators } from './admin-actions.ts';

const STATUS_TEXTS = {
  pending: 'suggestions:pending',
  approved: 'suggestions:approvedStatus',
  rejected: 'suggestions:rejectedStatus',
  deleted: 'suggestions:deletedStatus',
} as const satisfies Readonly<Record<Status, string>>;

/** The suggestions of a list as a file. */
export function suggestionsFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportSuggestions>,
): Promise<FileAnswer> {
  const { viewer } = acting;
  const asked = askedIn(input);
  return listFile(deps, acting, {
    list: 'suggestions',
    title: 'suggestions:title',
    format: input.format,
    asked,
    columns: columnsFor(deps, viewer),
    read: async (page) => {
      const { suggestions: rows, nextCursor } = await listForAdministrators(deps, viewer, {
        ...asked,
        ...page,
      });
      return { rows, nextCursor };
    },
  });
}

function columnsFor(deps: Deps, viewer: Viewer): ListColumn<AdminSuggestion>[] {
  const { t } = deps.catalogue;
  const zone = deps.config.timeZone;
  const address = ({ user, schoolId }: AdminSuggestion) =>
    canAt(viewer, 'export addresses', schoolId) ? user.email : null;
  return [
    { title: 'suggestions:school', kind: 'text', width: 28, value: ({ school }) => school.name },
    { title: 'activities:name', kind: 'text', width: 32, value: ({ name }) => name },
    { title: 'suggestions:description', kind: 'text', width: 50, value: ({ description }) => description },
    {
      title: 'suggestions:category',
      kind: 'text',
      width: 20,
      value: ({ category }) => category?.name ?? null,
    },
    { title: 'suggestions:reason', kind: 'text', width: 50, value: ({ reason }) => reason },
    { title: 'activities:startDate', kind: 'day', width: 12, value: ({ activeFrom }) => activeFrom },
    { title: 'activities:endDate', kind: 'day', width: 12, value: ({ activeUntil }) => activeUntil },
    { title: 'users:status', kind: 'text', width: 12, value: ({ status }) => t(STATUS_TEXTS[status]) },
    { title: 'suggestions:feedback', kind: 'text', width: 50, value: ({ adminReason }) => adminReason },
    {
      title: 'time-entries:created',
      kind: 'day',
      width: 12,
      value: ({ createdAt }) => dayIn(zone, createdAt),
    },
    { title: 'users:firstName', kind: 'text', width: 16, value: ({ user }) => user.firstName },
    { title: 'users:lastName', kind: 'text', width: 18, value: ({ user }) => user.lastName },
    ...(scopeFor(viewer, 'export addresses').length > 0
      ? [{ title: 'users:email', kind: 'text', width: 28, value: address } as const]
      : []),
    { title: 'time-entries:fileAccount', kind: 'number', width: 10, value: ({ user }) => user.id },
  ];
}
