import { isServedFromRollups } from '#features/time-entries/admin-list/server/actions.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { analyzeActivities, analyzeOverview, analyzeVolunteers } from '../contract.ts';
import {
  exportDistrictSummary,
  exportInKind,
  exportStatement,
  getInKindRate,
  getStatement,
  matchInKind,
  type ReportInput,
  updateInKindRate,
} from '../report-contract.ts';
import { readActivityAnalytics, readOverview, readVolunteerAnalytics } from './actions.ts';
import { createBoardSummary } from './board-summary.ts';
import { changeInKindRate, computeInKindMatch, createInKindFile, readInKindRate } from './in-kind-value.ts';
import { computeStatement, createStatementFile } from './statement.ts';

export function mountAnalytics(mount: Mount, server: Deps): void {
  const deps = withConnectionPool(server, 'reports');
  // Reads rollups in this process, which is faster than asking another process.
  mount(analyzeActivities, 'see figures', ({ viewer, query }) =>
    readActivityAnalytics(isServedFromRollups(query) ? server : deps, viewer, query),
  );

  mount(analyzeOverview, 'see figures', (call) => readOverview(deps, call, call.query));

  mount(analyzeVolunteers, 'see figures', (call) => readVolunteerAnalytics(deps, call, call.query));

  mount(getInKindRate, 'see figures', async () => ({ rate: await readInKindRate(deps.database.db) }));

  mount(updateInKindRate, 'run the district', (call) => changeInKindRate(deps, call, call.body));

  mount(matchInKind, 'see figures', ({ viewer, query }) => computeInKindMatch(deps, viewer, query));

  mount(exportInKind, 'see figures', ({ viewer, request, gone, params, body }) =>
    createInKindFile(deps, { viewer, request, gone }, { format: params.format, period: periodIn(body) }),
  );

  mount(exportDistrictSummary, 'see figures', ({ body, ...reader }) =>
    createBoardSummary(deps, reader, periodIn(body)),
  );

  mount(getStatement, 'signedIn', async ({ viewer, query }) => ({
    statement: await computeStatement(deps.database.db, viewer.userId, query),
  }));

  mount(exportStatement, 'signedIn', ({ body, ...reader }) =>
    createStatementFile(deps, reader, periodIn(body)),
  );
}

// Converts a request body to a period. Null means absent, as in every body.
function periodIn<Only extends string = never>({
  schoolId,
  startDate,
  endDate,
  only,
}: Omit<ReportInput, 'only'> & { only?: Only | null | undefined }) {
  return {
    only: only ?? undefined,
    schoolId: schoolId ?? undefined,
    startDate: startDate ?? undefined,
    endDate: endDate ?? undefined,
  };
}
