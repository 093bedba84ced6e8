import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { makeAuthority } from '../lab/certificates.ts';
import { makeLauncher } from '../lab/launcher.ts';
import { startThread } from '../runner/thread.ts';
import { controllerCapabilities } from './controllers.ts';
import type { Beside, Target } from './target.ts';

/** Our own server, running in a thread of this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  /** The command that starts another one. */
  readonly launcher: readonly string[];
  /** How another one gets controllers. */
  readonly beside: Beside;
  readonly stop: () => Promise<void>;
}

/** A worker that serves, and what it said when it began to. */
async function serve(flags: readonly string[]): Promise<{ worker: Worker; target: Target }> {
  const file = join(import.meta.dirname, `reference-worker${extname(import.meta.filename)}`);
  const worker = startThread(file, flags);
  const [target] = (await once(worker, 'message')) as [Target];
  return { worker, target };
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

/** Starts the reference server with flags of its command line. Only this file and the worker beside it know of that one. */
export async function startReference(flags: readonly string[] = []): Promise<Reference> {
  const { worker, target } = await serve(flags);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const command = join(import.meta.dirname, '..', '..', `touchstone${extname(import.meta.filename)}`);
  return {
    target,
    launcher: [process.execPath, command, 'serve', '--secure-port=0', `--cert-dir=${folder}`],
    beside: { capabilities: controllerCapabilities, flags: await controllerFlags(folder) },
    async stop() {
      const gone = once(worker, 'exit');
      worker.postMessage('stop');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the reference server in a process of its own, so that it does not share this one's processor. */
export async function launchReference(flags: readonly string[] = []): Promise<Pick<Reference, 'target' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const command = join(import.meta.dirname, '..', '..', `touchstone${extname(import.meta.filename)}`);
  const launcher = makeLauncher([process.execPath, command, 'serve', '--secure-port=0', `--cert-dir=${folder}`]);
  const stop = async (): Promise<void> => {
    await launcher.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { target: await launcher.withFlags(flags), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
