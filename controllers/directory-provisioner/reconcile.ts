import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ControllerOptions } from '../options.ts';
import { ofClasses } from '../persistent-volume-binder/claims.ts';
import { classOf } from '../persistent-volume-binder/plan.ts';
import { isAlreadyExists } from '../runtime/api-error.ts';
import { itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { nameOf } from '../runtime/kube-object.ts';
import { persistentVolumeClaims, persistentVolumes, storageClasses } from '../runtime/resources.ts';
import { directoryClass, folderToRemove, volumeFor } from './plan.ts';

async function provision(request: Request, folder: string): Promise<Outcome> {
  const { key, read, write, events } = request;
  const claim = read(persistentVolumeClaims).find(key);
  if (!claim) return undefined;
  const storageClass = read(storageClasses).find(classOf(claim));
  const volume = volumeFor(claim, storageClass, folder);
  if (!volume || read(persistentVolumes).find(nameOf(volume))) return undefined;
  mkdirSync(volume.spec?.hostPath?.path ?? '', { recursive: true, mode: 0o700 });
  await write(persistentVolumes).create(volume);
  const note = `Successfully provisioned volume ${nameOf(volume)}`;
  events.record(claim, { reason: 'ProvisioningSucceeded', action: 'Provisioning', note });
  return undefined;
}

/** Takes the folder away first: while the volume is there, it can be tried again. */
async function remove({ key, read, write }: Request, folder: string): Promise<Outcome> {
  const volume = read(persistentVolumes).find(key);
  const own = volume && folderToRemove(volume, folder);
  if (!volume || !own) return undefined;
  rmSync(own, { recursive: true, force: true });
  await write(persistentVolumes).delete(volume);
  return undefined;
}

async function offerClass({ read, write }: Request): Promise<Outcome> {
  const wanted = directoryClass(read(storageClasses).all());
  if (read(storageClasses).find(nameOf(wanted))) return undefined;
  await write(storageClasses)
    .create(wanted)
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  return undefined;
}

/** None without a folder to make volumes in. */
export function directoryProvisionerLoops({ volumesDir, log }: ControllerOptions): readonly Loop[] {
  if (!volumesDir) {
    log.error('directory-provisioner makes no volumes: it was not told where (--volumes-dir)');
    return [];
  }
  const folder = resolve(volumesDir);
  return [
    {
      name: 'directory-provisioner-class',
      seeds: ['class'],
      watches: [],
      reads: [storageClasses],
      reconcile: offerClass,
    },
    {
      name: 'directory-provisioner',
      watches: [itself(persistentVolumeClaims), ofClasses],
      reads: [persistentVolumes],
      reconcile: (request) => provision(request, folder),
    },
    {
      name: 'directory-provisioner-removal',
      watches: [itself(persistentVolumes)],
      reconcile: (request) => remove(request, folder),
    },
  ];
}
