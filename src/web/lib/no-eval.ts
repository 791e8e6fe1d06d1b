import * as z from 'zod/mini';

// The pages' security policy refuses `eval`; zod would try it once and report a violation. Imported before any schema.
z.config({ jitless: true });
