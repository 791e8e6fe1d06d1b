import { schoolColumn } from '#features/schools/server/export-school-column.ts';
import type { Deps } from '#server/deps.ts';
import { askedIn, type ListColumn, listFile } from '#server/export/list-file.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import type { Acting } from '#server/http/viewer.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Category, exportCategories } from '../contract.ts';
import { listForAdministrators } from './actions.ts';

/** The categories of a list as a file. */
export async function categoriesFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportCategories>,
): Promise<FileAnswer> {
  const asked = askedIn(input);
  return listFile(deps, acting, {
    list: 'categories',
    title: 'categories:title',
    format: input.format,
    asked,
    columns: [await schoolColumn(deps), ...columnsIn(deps)],
    read: async (page) => {
      const { categories: rows, nextCursor } = await listForAdministrators(deps, acting.viewer, {
        ...asked,
        ...page,
      });
      return { rows, nextCursor };
    },
  });
}

function columnsIn({ catalogue: { t } }: Deps): ListColumn<Category>[] {
  return [
    { title: 'categories:name', kind: 'text', width: 28, value: ({ name }) => name },
    { title: 'categories:kindShort', kind: 'text', width: 12, value: ({ kind }) => t(`categories:${kind}`) },
    { title: 'categories:colorField', kind: 'text', width: 12, value: ({ color }) => color },
    { title: 'categories:description', kind: 'text', width: 50, value: ({ description }) => description },
    { title: 'categories:activities', kind: 'number', width: 10, value: ({ counts }) => counts.activities },
  ];
}
