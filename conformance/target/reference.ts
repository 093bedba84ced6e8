import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { makeAuthority } from '../lab/certificates.ts';
import { byCommand } from '../lab/command.ts';
import type { Start } from '../lab/launcher.ts';
import { controllerCapabilities } from './controllers.ts';
import { openHost } from './reference-host.ts';
import type { Beside, Target } from './target.ts';

/** Our own server, running in a thread of this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  /** Starts others beside it. */
  readonly start: Start;
  /** How another one gets controllers. */
  readonly beside: Beside;
  readonly stop: () => Promise<void>;
}

/** The rules play the node themselves: nobody else may bind or run their pods. */
const controllers = '--controllers=*,-scheduler,-node-agent,tokencleaner';

/** A node and its scheduler beside all of them. */
const withNode = '--controllers=*';

/** Controllers that can sign: they need an authority of their own. */
async function signerFlags(folder: string): Promise<readonly string[]> {
  const { certificate, key } = await makeAuthority('touchstone-signer');
  const [certificateFile, keyFile] = [join(folder, 'signer.crt'), join(folder, 'signer.key')];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return [`--cluster-signing-cert-file=${certificateFile}`, `--cluster-signing-key-file=${keyFile}`];
}

/**
 * Starts the reference server with flags of its command line. Only this file and the worker beside it know of that one.
 * @param imports modules that its thread loads first
 */
export async function startReference(
  flags: readonly string[] = [],
  imports: readonly string[] = [],
): Promise<Reference> {
  const host = openHost(imports);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const stop = async (): Promise<void> => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { target } = await host.start(flags);
    const signing = await signerFlags(folder);
    const beside = {
      capabilities: controllerCapabilities,
      flags: [controllers, ...signing],
      more: { nodes: [withNode, `--node-certificates-dir=${join(folder, 'nodes')}`, ...signing] },
    };
    return { target, start: host.start, beside, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the reference server with such flags in a process of its own, so that it does not share this one's processor. */
export async function launchReference(flags: readonly string[] = []): Promise<Pick<Reference, 'target' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const command = join(import.meta.dirname, '..', '..', `touchstone${extname(import.meta.filename)}`);
  const start = byCommand([process.execPath, command, 'serve', '--secure-port=0', `--cert-dir=${folder}`]);
  const forget = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const { target, stop } = await start(flags);
    return { target, stop: () => stop().finally(forget) };
  } catch (error) {
    forget();
    throw error;
  }
}
