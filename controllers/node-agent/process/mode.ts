import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ControllerOptions } from '../../options.ts';
import type { Pod } from '../../runtime/resources.ts';
import type { Surroundings } from '../../runtime/run-loop.ts';
import type { Mode } from '../container-runtime.ts';
import { readImages } from './command.ts';
import { guardFolder } from './guard.ts';
import { ProcessRuntime } from './process-runtime.ts';
import { processPods } from './reconcile.ts';

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** @throws Error on a cluster that others may reach: whoever makes a pod there would run what they like here */
export function processes(
  isOurs: (pod: Pod) => boolean,
  { image, nodeHostPaths, volumesDir, log }: ControllerOptions,
  { client, clock, signal }: Omit<Surroundings, 'events'>,
): Mode {
  const { hostname } = client.connection.url;
  if (!loopback.test(hostname))
    throw new Error(
      `--node-runtime=process runs pods as you, so only those of a server on loopback, not of ${hostname}`,
    );
  log.info('pods run as processes of this machine, as you, with all your rights');
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-pods-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  signal.addEventListener('abort', remove);
  process.once('exit', remove);
  guardFolder(folder);
  const runtime = new ProcessRuntime();
  const hostPaths = [...nodeHostPaths, ...(volumesDir ? [volumesDir] : [])].map((path) => resolve(path));
  return {
    runtime,
    loop: processPods(isOurs, { client, clock, images: readImages(image), folder, hostPaths }, runtime),
  };
}
