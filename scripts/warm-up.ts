// After an install: compiles what `touchstone serve` loads into the cache that touchstone.ts uses, so that already the
// first start is quick.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'touchstone'));
await import('../server/commands/serve.ts');
flushCompileCache();
