import { describe, expect, test } from 'vitest';
import { ACTIONS, actionsForKind, isAction, listAudit, messages } from './contract.ts';

test('an action is one that the program knows, and not what every object has', () => {
  expect([isAction('entry.log'), isAction('entry.dream'), isAction('toString')]).toEqual([
    true,
    false,
    false,
  ]);
});

describe('the actions that are asked for', () => {
  test('are all, where nothing is', () => {
    expect(actionsForKind({})).toEqual(Object.keys(ACTIONS));
  });

  test('are those of a kind, of a thing, or of both', () => {
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

describe('the days of the record', () => {
  const [first, second] = ['2026-03-01', '2026-03-02'];
  const read = (query: object) => listAudit.parts.query.safeParse(query);

  test.each([{}, { startDate: second }, { endDate: first }, { startDate: first, endDate: first }])(
    'may be %o',
    (query) => {
      expect(read(query).success).toBe(true);
    },
  );

  test('do not end before they begin', () => {
    expect(
      read({ startDate: second, endDate: first }).error?.issues.map(({ path, message }) => [path, message]),
    ).toEqual([[['endDate'], messages.endBeforeStart]]);
  });
});
