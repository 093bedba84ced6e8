import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { makeAuthority } from '../lab/certificates.ts';
import { controllerCapabilities } from './controllers.ts';
import type { Beside, Target } from './target.ts';

/** Our own server, running in this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  /** The command that starts another one. */
  readonly launcher: readonly string[];
  /** How another one gets controllers. */
  readonly beside: Beside;
  readonly stop: () => Promise<void>;
}

async function optionsOf(flags: readonly string[]) {
  const { optionsFrom, parseFlags } = await import('../../server/command-line.ts');
  const { serverFlags } = await import('../../server/flags.ts');
  const { certDir: _, ...options } = optionsFrom(parseFlags(serverFlags, flags));
  return { ...options, securePort: 0 };
}

/** The rules play the node themselves: nobody else may bind or run their pods. */
const controllers = '--controllers=*,-scheduler,-node-agent,tokencleaner';

/** Controllers that can sign: they need an authority of their own. */
async function controllerFlags(folder: string): Promise<readonly string[]> {
  const { certificate, key } = await makeAuthority('touchstone-signer');
  const [certificateFile, keyFile] = [join(folder, 'signer.crt'), join(folder, 'signer.key')];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return [controllers, `--cluster-signing-cert-file=${certificateFile}`, `--cluster-signing-key-file=${keyFile}`];
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
    beside: { capabilities: controllerCapabilities, flags: await controllerFlags(folder) },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
