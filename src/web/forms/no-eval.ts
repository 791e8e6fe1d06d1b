import * as z from 'zod/mini';

// The content security policy forbids `eval`; zod would try it once and report a violation. Must be imported before any
// schema.
z.config({ jitless: true });
