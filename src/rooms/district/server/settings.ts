// What other rooms ask of the district's settings: each keeps its own under a name, and reads it with its own schema.
export { readDistrict, saveDistrict } from './district-settings.ts';
export { findFirstRun, keepFirstRun } from './first-run.ts';
export {
  isAccessDecided,
  keepDistrict,
  keptDistrict,
  NAME as DISTRICT_SETTING,
  openLiveSettings,
} from './live-settings.ts';
export { findSetting, holdSettings, keepSetting } from './settings-store.ts';
