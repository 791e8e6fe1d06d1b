import type { Deps } from '#server/deps.ts';
import { relyingParty } from '#server/http/relying-party.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { dayIn, schoolYearStart } from '#shared/calendar-date.ts';
import { getDistrict } from '../contract.ts';
import { changeSettings, getSettings, testMailServer } from '../settings-contract.ts';
import { readSettings, type SettingsSections, saveSettings } from './settings-form.ts';
import { hasAnyPasskey } from './settings-store.ts';
import { sendTestMail } from './test-email.ts';

export function mountDistrict(mount: Mount, { config, database }: Deps): void {
  const party = relyingParty({ config });
  mount(getDistrict, 'public', async ({ request }) => {
    const today = dayIn(config.timeZone, request.at);
    return {
      districtName: config.districtName,
      ...(config.districtLogo === undefined ? {} : { logo: config.districtLogo }),
      supportEmail: config.supportEmail,
      timeZone: config.timeZone,
      today,
      schoolYearStart: schoolYearStart(today, config.schoolYearStart),
      registration: config.registration,
      languages: [...config.languages],
      passwordMinLength: config.passwordMinLength,
      ...(config.providers.length === 0 ? {} : { hasProviders: true as const }),
      ...(party !== undefined && (await hasAnyPasskey(database.db, party.id))
        ? { passkeysAt: party.origin }
        : {}),
      ...(config.signInLink ? { hasSignInLink: true as const } : {}),
      ...(config.serviceWorker ? {} : { hasNoWorker: true as const }),
      ...(config.registration === 'approval' && config.smtpUrl === undefined
        ? { hasNoMail: true as const }
        : {}),
    };
  });
}

export function mountDistrictSettings(mount: Mount, deps: Deps, sections: SettingsSections): void {
  mount(getSettings, 'run the district', () => readSettings(deps, sections));

  mount(changeSettings, 'run the district', ({ viewer, request, body }) =>
    saveSettings(deps, { viewer, request }, body, sections),
  );

  mount(testMailServer, 'run the district', (call) => sendTestMail(deps, call, call.body.to));
}
