// What other rooms ask of the district's settings: each keeps its own under a name, and reads it with its own schema.

export {
  readFirstRunProgress,
  saveFirstRunProgress,
} from '../../first-run-checklist/server/checklist-progress.ts';
export {
  isAccessDecided,
  NAME as DISTRICT_SETTING,
  openLiveSettings,
  readStoredDistrict,
  saveStoredDistrict,
} from './live-settings.ts';
export { findSetting, lockSettings, saveSetting } from './settings-store.ts';
