import { limitLibrary, perform, type Task } from './render.ts';

// A process of its own: strangers' files are decoded where nothing else is, and a crash costs that picture only. It
// takes one task after the other until its parent is gone.
limitLibrary();
process.on('message', async (task: Task) => {
  process.send?.(await perform(task));
});
process.on('disconnect', () => process.exit(0));
