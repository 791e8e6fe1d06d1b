import { dayIn, schoolYearStart } from '#base/calendar-date.ts';
import { getDistrict } from '#rooms/district/contract.ts';
import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';

export function mountDistrict(mount: Mount, { config }: Deps): void {
  mount(getDistrict, 'public', async ({ request }) => {
    const today = dayIn(config.timeZone, request.at);
    return {
      districtName: config.districtName,
      supportEmail: config.supportEmail,
      timeZone: config.timeZone,
      today,
      schoolYearStart: schoolYearStart(today, config.schoolYearStart),
      registration: config.registration,
      passwordMinLength: config.passwordMinLength,
      ...(config.providers.length === 0 ? {} : { hasProviders: true as const }),
    };
  });
}
