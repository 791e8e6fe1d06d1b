// What other rooms ask of the district's settings: each keeps its own under a name, and reads it with its own schema.

export { findFirstRun, keepFirstRun } from '../../first-run-checklist/server/checklist-progress.ts';
export { readDistrict, saveDistrict } from './change-settings.ts';
export {
  isAccessDecided,
  keepDistrict,
  keptDistrict,
  NAME as DISTRICT_SETTING,
  openLiveSettings,
} from './live-settings.ts';
export { findSetting, holdSettings, keepSetting } from './settings-store.ts';
