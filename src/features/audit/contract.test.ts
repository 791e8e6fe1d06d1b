import { describe, expect, test } from 'vitest';
import { ACTIONS, actionsForKind, isAction, listAudit, messages } from './contract.ts';

test('an inherited object property is not a known audit action', () => {
  expect([isAction('entry.log'), isAction('entry.dream'), isAction('toString')]).toEqual([
    true,
    false,
    false,
  ]);
});

describe('actionsForKind', () => {
  test('returns all actions without a filter', () => {
    expect(actionsForKind({})).toEqual(Object.keys(ACTIONS));
  });

  test('returns the actions that match the kind, the subject or both', () => {
    const ofSuggestions = actionsForKind({ thing: 'suggestion' });
    expect(ofSuggestions).toEqual(Object.keys(ACTIONS).filter((action) => action.startsWith('suggestion.')));
    expect(actionsForKind({ kind: 'decide', thing: 'suggestion' })).toEqual([
      'suggestion.approve',
      'suggestion.reject',
    ]);
    const decided = actionsForKind({ kind: 'decide' });
    expect(decided).toContain('suggestion.approve');
    expect(decided).not.toContain('suggestion.submit');
  });
});

describe('the audit query', () => {
  const [first, second] = ['2026-03-01', '2026-03-02'];
  const read = (query: object) => listAudit.parts.query.safeParse(query);

  test.each([{}, { startDate: second }, { endDate: first }, { startDate: first, endDate: first }])(
    'accepts the dates %o',
    (query) => {
      expect(read(query).success).toBe(true);
    },
  );

  test('rejects an end date before the start date', () => {
    expect(
      read({ startDate: second, endDate: first }).error?.issues.map(({ path, message }) => [path, message]),
    ).toEqual([[['endDate'], messages.endBeforeStart]]);
  });
});
