// The entry point for other features: each stores its own setting under a name and parses it with its own schema.

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
