// Rejects a few words in comments and docs, and malformed subjects of commits that the main branch does not have.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const WORDS = 'whoever|anew|amid|dearer|of late|so many|so often|is told|are told|can not';
// Two words may be on two lines of a comment.
const WORD = new RegExp(`\\b(?:${WORDS.replaceAll(' ', '[\\s*/]+')})\\b`, 'gi');
const FILES = '{*.{md,mjs,ts},docs/**/*.md,{bench,scripts,src,test}/**/*.{css,mjs,ts,tsx}}';
// Spanish pages, and comments in src until they are rewritten.
const EXEMPT = /\.es\.md$/;
const COMMENT = /(?<=^|[\s{(,])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;
// Code, quotations and texts on screen.
const QUOTED = /```[\s\S]*?```|`[^`\n]*`|^>.*$|"[^"\n]*"|“[^”]*”|‘[^’]*’|(?<!\w)'[^'\n]*'(?!\w)/gm;

const SUBJECT = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w ./-]+\))?!?: \S/;
const SUBJECT_LENGTH = 72;

/** The words found in a file's comments, or in all of a Markdown file: 'docs/x.md:12 <word>'. */
export function wordsIn(path, text) {
  const parts = path.endsWith('.md') ? [{ 0: text, index: 0 }] : [...text.matchAll(COMMENT)];
  return parts.flatMap(({ 0: part, index }) => {
    const prose = part.replace(QUOTED, (quote) => quote.replace(/[^\n]/g, ' '));
    return [...prose.matchAll(WORD)].map((found) => {
      const line = text.slice(0, index + found.index).split('\n').length;
      return `${path}:${line} ${found[0].replace(/[\s*/]+/g, ' ')}`;
    });
  });
}

/** Whether a commit's subject is a Conventional Commit of a readable length. */
export function isSubject(subject) {
  return subject.length <= SUBJECT_LENGTH && SUBJECT.test(subject);
}

/** The subjects of commits that the main branch does not have; none without git or in a clone without that branch. */
function subjectsAhead() {
  const git = (...args) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  for (const main of ['origin/main', 'main']) {
    try {
      git('merge-base', main, 'HEAD');
      return git('log', '--no-merges', '--format=%s', `${main}..HEAD`).split('\n').filter(Boolean);
    } catch {
      // This clone does not have the branch, or no history in common with it.
    }
  }
  return [];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = globSync(FILES).filter((path) => !EXEMPT.test(path));
  const problems = [
    ...files.flatMap((path) => wordsIn(path, readFileSync(path, 'utf8'))),
    ...subjectsAhead()
      .filter((subject) => !isSubject(subject))
      .map(
        (subject) =>
          `"${subject}" is not "type(scope): subject", or longer than ${SUBJECT_LENGTH} characters`,
      ),
  ];
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
