// Loaded before the server: it ends at once, as the runtime does when its memory is used up.
process.on('SIGUSR2', () => {
  process.exit(1);
});
