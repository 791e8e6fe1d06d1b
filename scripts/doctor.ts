// npm run doctor [-- --json]. Settings as for `npm start`, which may be running.
import { runDoctor } from '#features/operations/server/doctor.ts';
import { type HealthFinding, isHealthy } from '#features/operations/server/health-checks.ts';
import { ConfigError, readConfig, SETTING_NAMES, settingsIn } from '#server/config.ts';
import { systemClock } from '#server/deps.ts';

import { createTranslators, translate } from '#server/i18n/translator.ts';
import { maskSetting, unknownSettings } from '#server/setting-names.ts';

/** A finding with its texts in English. */
type Printed = Readonly<{
  name: string;
  level: HealthFinding['level'];
  message: string;
  remedy: string | null;
}>;

const LABELS = { ok: 'ok     ', note: 'note   ', warning: 'WARNING', error: 'ERROR  ' } as const;

const [option, ...more] = process.argv.slice(2);
if (more.length > 0 || (option !== undefined && option !== '--json')) {
  console.error('Usage: npm run doctor [-- --json]');
  process.exitCode = 2;
} else {
  const findings = await examine();
  if (option === '--json') console.log(JSON.stringify(findings, null, 1));
  else for (const finding of findings) print(finding);
  process.exitCode = findings.every(isHealthy) ? 0 : 1;
}

async function examine(): Promise<Printed[]> {
  const deps = { translator: createTranslators().translator };
  try {
    const config = readConfig(process.env);
    const found = await runDoctor({
      config,
      clock: systemClock,
      ...deps,
      nodeVersion: process.version,
      settings: {
        set: Object.entries(settingsIn(process.env)).map(
          ([name, value]) => `${name}=${maskSetting(name, value)}`,
        ),
        unknown: unknownSettings(process.env, SETTING_NAMES),
      },
      userId: process.getuid?.(),
    });
    return found.map(({ name, level, message, remedy }) => ({
      name,
      level,
      message: translate(deps, message),
      remedy: remedy === null ? null : translate(deps, remedy),
    }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => ({
      name: 'settings',
      level: 'error',
      message: line,
      remedy: 'Fix this setting. docs/operations.md lists all of them.',
    }));
  }
}

function print({ name, level, message, remedy }: Printed): void {
  console.log(`${LABELS[level]} ${name}: ${message}`);
  if (remedy !== null) console.log(`        ${remedy}`);
}
