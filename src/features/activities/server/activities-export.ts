import { schoolColumn } from '#features/schools/server/export-school-column.ts';
import type { Deps } from '#server/deps.ts';
import { askedIn, type ListColumn, listFile } from '#server/export/list-file.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import type { Acting, Request } from '#server/http/viewer.ts';
import { dayIn } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { unavailability } from '../activity-groups.ts';
import type { Activity, exportActivities } from '../contract.ts';
import { listForAdministrators } from './actions.ts';

const STATUS_TEXTS = {
  inactive: 'activities:inactive',
  future: 'activities:notYet',
  past: 'activities:over',
} as const;

/** The activities of a list as a file. */
export async function activitiesFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportActivities>,
): Promise<FileAnswer> {
  const asked = askedIn(input);
  return listFile(deps, acting, {
    list: 'activities',
    title: 'activities:title',
    format: input.format,
    asked,
    columns: [await schoolColumn(deps), ...columnsOn(deps, acting.request)],
    read: async (page) => {
      const { activities: rows, nextCursor } = await listForAdministrators(deps, acting.viewer, {
        ...asked,
        ...page,
      });
      return { rows, nextCursor };
    },
  });
}

function columnsOn(deps: Deps, request: Request): ListColumn<Activity>[] {
  const { t } = deps.catalogue;
  const day = dayIn(deps.config.timeZone, request.at);
  const status = (activity: Activity) => {
    const reason = unavailability(activity, day);
    return t(reason === undefined ? 'activities:active' : STATUS_TEXTS[reason]);
  };
  return [
    { title: 'activities:name', kind: 'text', width: 32, value: ({ name }) => name },
    { title: 'activities:category', kind: 'text', width: 20, value: ({ category }) => category.name },
    { title: 'activities:status', kind: 'text', width: 10, value: status },
    { title: 'activities:startDate', kind: 'day', width: 12, value: ({ activeFrom }) => activeFrom },
    { title: 'activities:endDate', kind: 'day', width: 12, value: ({ activeUntil }) => activeUntil },
    { title: 'activities:description', kind: 'text', width: 50, value: ({ description }) => description },
    { title: 'activities:prompt', kind: 'text', width: 28, value: (activity) => activity.descriptionPrompt },
    { title: 'activities:entries', kind: 'number', width: 12, value: ({ counts }) => counts.timeEntries },
  ];
}
