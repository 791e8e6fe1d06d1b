import type { Deps } from '#server/deps.ts';
import { type Mount, memberOr } from '#server/http/route-mount.ts';
import {
  cancelLetterFile,
  checkLetter,
  downloadLetters,
  issueLetter,
  issueLetters,
  listLetters,
  readLetterFile,
  withdrawLetter,
} from '../contract.ts';
import { checkLetterCode, listLettersAbout, withdrawServiceLetter } from './actions.ts';
import { issueLetterBatch, issueSingleLetter, throttleLetter, throttleLetterFile } from './issue-letters.ts';
import { cancelOwnLetterFile, readOwnLetterFile, sendLetters } from './letter-files.ts';

export function mountLetters(mount: Mount, deps: Deps): void {
  mount(issueLetter, memberOr('see people'), async ({ viewer, request, body, once }) => {
    await throttleLetter(deps, { viewer, request });
    return once((trx) => issueSingleLetter(trx, deps, { viewer, request }, body));
  });

  mount(listLetters, memberOr('see people'), ({ viewer, query }) => listLettersAbout(deps, viewer, query));

  mount(withdrawLetter, memberOr('see people'), (call) => withdrawServiceLetter(deps, call, call.params.id));

  mount(issueLetters, 'issue letters', async ({ viewer, request, body, once }) => {
    await throttleLetterFile(deps, { viewer, request });
    return once((trx) => issueLetterBatch(trx, deps, { viewer, request }, body));
  });

  mount(readLetterFile, 'issue letters', (call) => readOwnLetterFile(deps, call, call.params.id));

  mount(cancelLetterFile, 'issue letters', (call) => cancelOwnLetterFile(deps, call, call.params.id));

  // The link is the permission: a browser that saves a file sends no token.
  mount(downloadLetters, 'public', ({ request, params, gone }) =>
    sendLetters(deps, { request, gone }, params.token),
  );

  mount(checkLetter, 'public', ({ request, body }) => checkLetterCode(deps, request, body));
}
