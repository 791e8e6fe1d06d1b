// Loaded before the server. On this signal it exits immediately, like a runtime that is out of memory.
process.on('SIGUSR2', () => {
  process.exit(1);
});
