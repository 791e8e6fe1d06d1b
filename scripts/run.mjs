// node scripts/run.mjs [--tools] [--needs=A,B] [--pages] [--restart] FILE [ARGUMENTS]
// node scripts/run.mjs NAME [ARGUMENTS]: runs the package.json script of that name
//
// npm runs this file on the machine's Node. It installs missing dependencies and runs FILE on a Node that is new enough.
//   --tools    also installs development dependencies
//   --needs    also installs these system packages (scripts/test-dependencies.mjs)
//   --pages    builds the browser side first, if its sources changed
//   --restart  starts FILE again after a crash
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNode, installDependencies } from './bootstrap.mjs';
import { buildBrowser } from './browser-build.mjs';
import { keepRunning } from './keep-running.mjs';
import { ROOT, runInFront } from './process.mjs';
import { installTestNeeds } from './test-dependencies.mjs';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [first = '', ...rest] = process.argv.slice(2);
const named = scripts[first]?.replace(/^(?:exec )?node (scripts\/run\.mjs )?/, '').split(' ') ?? [first];
const isKnown = scripts[first] !== undefined || first.startsWith('--') || first.includes('/');
process.exitCode = isKnown ? await run([...named, ...rest]) : listCommands();

async function run(words) {
  const options = [];
  while (words[0]?.startsWith('--') && words[0] !== '--') options.push(words.shift());
  const [file, ...given] = words;
  // npm removes this separator; without npm it is an argument.
  const args = given[0] === '--' ? given.slice(1) : given;
  await installDependencies({ withTools: options.includes('--tools') });
  const node = findNode();
  const needs = options.find((option) => option.startsWith('--needs='))?.slice('--needs='.length);
  if (needs !== undefined && !(await installTestNeeds(needs.split(',')))) return 1;
  if (options.includes('--pages')) {
    const { ok, output } = await buildBrowser(node);
    if (!ok) console.error(output.trim());
    if (!ok || file === undefined) return ok ? 0 : 1;
  }
  return options.includes('--restart')
    ? keepRunning(node, [file, ...args])
    : runInFront(node, [[file, ...args]]);
}

function listCommands() {
  console.error(first === '' ? 'Which command?' : `There is no command '${first}'.`);
  console.error('The commands, each with what it runs (npm run NAME):');
  for (const [name, runs] of Object.entries(scripts)) {
    console.error(`  ${name.padEnd(18)}${runs.replace(/^(?:exec )?node (scripts\/run\.mjs )?/, '')}`);
  }
  return 1;
}
