import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './target.ts';

/** Our own server, running in this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  /** The command that starts another one. */
  readonly launcher: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts the reference server. The only place of the suite that knows of it. */
export async function startReference(): Promise<Reference> {
  const { startServer } = await import('../../server/start.ts');
  const { url, adminToken, certificateAuthority, stop } = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const command = join(import.meta.dirname, '..', '..', 'touchstone.ts');
  return {
    target: { url, token: adminToken, certificateAuthority },
    launcher: [process.execPath, command, 'serve', '--secure-port=0', `--cert-dir=${folder}`],
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
