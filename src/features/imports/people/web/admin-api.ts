import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { useAdminChange, useDecision } from '#web/api/list-cache.ts';
import { importTemplate, importUsers, listImports, previewImport, undoImport } from '../contract.ts';

/** Previews what an import would do. */
export function usePreview() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof previewImport>) =>
      call(previewImport, { body }).then((reply) => reply.preview),
  });
}

export function useImport() {
  return useAdminChange((body: BodyOf<typeof importUsers>) => call(importUsers, { body }));
}

export function useUndoImport() {
  return useDecision((id: Id) => call(undoImport, { params: { id } }));
}

/** The stored imports that the viewer may see, latest first. */
export function useImports() {
  return useInfiniteQuery(
    listPages(['admin', 'user-imports'], listImports, { limit: 20 }, (pages) =>
      pages.flatMap((page) => page.userImports),
    ),
  );
}

export const downloadTemplate = () => download('users-template.csv', importTemplate);
