import * as z from 'zod/mini';

// The content security policy forbids `eval`, and zod would report a violation by trying it once. Import this before
// any schema.
z.config({ jitless: true });
