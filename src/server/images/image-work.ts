import { constants, setPriority } from 'node:os';
import { limitLibrary, runTask } from './render-image.ts';

// Only the processes that load this module decode untrusted files.
limitLibrary();
// Image renditions can wait; users wait for reports.
setPriority(constants.priority.PRIORITY_LOW);

export { runTask as work };
