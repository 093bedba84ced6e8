import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Target } from './target.ts';

/** Our own server, running in this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  /** The command that starts another one. */
  readonly launcher: readonly string[];
  readonly stop: () => Promise<void>;
}

async function optionsOf(flags: readonly string[]) {
  const { optionsFrom, parseFlags } = await import('../../server/command-line.ts');
  const { serverFlags } = await import('../../server/flags.ts');
  const { certDir: _, ...options } = optionsFrom(parseFlags(serverFlags, flags));
  return { ...options, securePort: 0 };
}

/** Starts the reference server with flags of its command line. The only place of the suite that knows of it. */
export async function startReference(flags: readonly string[] = []): Promise<Reference> {
  const { startServer } = await import('../../server/start.ts');
  const { url, adminToken, certificateAuthority, stop } = await startServer(await optionsOf(flags));
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const command = join(import.meta.dirname, '..', '..', `touchstone${extname(import.meta.filename)}`);
  return {
    target: { url, token: adminToken, certificateAuthority },
    launcher: [process.execPath, command, 'serve', '--secure-port=0', `--cert-dir=${folder}`],
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
