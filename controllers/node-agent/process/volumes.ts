import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { claimName } from '../../ephemeral-volume/plan.ts';
import type { Client } from '../../runtime/client.ts';
import { nameOf, namespaceOf, uidOf } from '../../runtime/kube-object.ts';
import { type Pod, persistentVolumeClaims, persistentVolumes, serviceAccounts } from '../../runtime/resources.ts';
import { amountOf, fieldOf } from './fields.ts';
import { type Files, writeFiles } from './files.ts';
import type { Entries, Sources } from './sources.ts';

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];
type Projection = NonNullable<NonNullable<NonNullable<Volume['projected']>['sources']>[number]>;

export interface VolumeParts {
  readonly pod: Pod;
  readonly client: Client;
  readonly sources: Sources;
  /** The folder of the pod's volumes. */
  readonly folder: string;
  /** Folders of the machine below which pods may use any. */
  readonly hostPaths: readonly string[];
}

/** Where the volume of a name is. */
export const folderOfVolume = (folder: string, name: string): string => join(folder, name);

/** Brings all volumes of a pod up to date: those that hold files of the API are written, the others made once. @throws Error */
export async function prepareVolumes(parts: VolumeParts): Promise<void> {
  mkdirSync(parts.folder, { recursive: true, mode: 0o700 });
  for (const volume of parts.pod.spec?.volumes ?? []) await prepare(volume, parts);
}

/** Whether a volume shows what may change. */
export const hasChangingVolumes = ({ spec }: Pod): boolean =>
  (spec?.volumes ?? []).some(({ configMap, secret, projected, downwardAPI }) =>
    Boolean(configMap ?? secret ?? projected ?? downwardAPI),
  );

async function prepare(volume: Volume, parts: VolumeParts): Promise<void> {
  const folder = folderOfVolume(parts.folder, volume.name);
  const files = await filesOf(volume, parts);
  if (files) return writeFiles(folder, files);
  if (volume.emptyDir) return void mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = await pathOf(volume, parts);
  if (path === undefined)
    throw new Error(`the volume ${JSON.stringify(volume.name)} is of a kind that is not known here`);
  if (!existsSync(path)) throw new Error(`hostPath type check failed: ${path} is not there`);
  rmSync(folder, { force: true });
  symlinkSync(path, folder);
}

async function filesOf(volume: Volume, parts: VolumeParts): Promise<Files | undefined> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) return files(await project({ configMap }, parts), configMap.defaultMode);
  if (secret) {
    const { secretName: name, ...rest } = secret;
    return files(await project({ secret: { ...rest, ...(name && { name }) } }, parts), secret.defaultMode);
  }
  if (downwardAPI) return files(await project({ downwardAPI }, parts), downwardAPI.defaultMode);
  if (!projected) return undefined;
  const all: Found[] = [];
  for (const source of projected.sources ?? []) all.push(...(await project(source, parts)));
  return files(all, projected.defaultMode);
}

interface Found {
  readonly path: string;
  readonly content: Buffer;
  readonly mode?: number;
}

const files = (found: readonly Found[], standard = 0o644): Files =>
  new Map(found.map(({ path, content, mode = standard }) => [path, { content, mode }]));

async function project(source: Projection, parts: VolumeParts): Promise<readonly Found[]> {
  const { pod, sources } = parts;
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  const named = configMap ?? secret;
  if (named?.name) {
    const kind = configMap ? 'configmap' : 'secret';
    return chosen(await sources.entries(kind, named.name, named.optional), named);
  }
  if (serviceAccountToken) {
    const content = Buffer.from(await tokenFor(serviceAccountToken, parts));
    return [{ path: serviceAccountToken.path, content, mode: 0o600 }];
  }
  return (downwardAPI?.items ?? []).map(({ path, fieldRef, resourceFieldRef, mode }) => {
    const own = pod.spec?.containers[0];
    const text = fieldRef
      ? fieldOf(pod, fieldRef)
      : resourceFieldRef && own
        ? amountOf(pod, own, resourceFieldRef)
        : '';
    return { path, content: Buffer.from(text), ...(mode !== undefined && { mode }) };
  });
}

type Choice = NonNullable<Volume['configMap']>;

function chosen(entries: Entries | undefined, { items, optional }: Pick<Choice, 'items' | 'optional'>): Found[] {
  if (!items) return [...(entries ?? [])].map(([path, content]) => ({ path, content }));
  return items.flatMap(({ key, path, mode }) => {
    const content = entries?.get(key);
    if (!content && !optional) throw new Error(`references non-existent config key: ${key}`);
    return content ? [{ path, content, ...(mode !== undefined && { mode }) }] : [];
  });
}

type TokenSource = NonNullable<Projection['serviceAccountToken']>;

/** A new token of the pod's service account, which ends with the pod. */
async function tokenFor({ audience, expirationSeconds }: TokenSource, { pod, client }: VolumeParts): Promise<string> {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: nameOf(pod), uid: uidOf(pod) };
  const spec = { audiences: audience ? [audience] : [], expirationSeconds: expirationSeconds ?? 3600, boundObjectRef };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const name = pod.spec?.serviceAccountName ?? 'default';
  const answer = await client.create<object, { readonly status: { readonly token: string } }>(serviceAccounts, body, {
    namespace: namespaceOf(pod),
    name,
    part: 'token',
  });
  return answer.status.token;
}

/** The folder of the machine that a volume stands for, which must be one that pods may use. @throws Error */
async function pathOf(volume: Volume, parts: VolumeParts): Promise<string | undefined> {
  const ephemeral = volume.ephemeral && claimName(parts.pod, volume.name);
  const claim = volume.persistentVolumeClaim?.claimName ?? ephemeral;
  const claimed = claim ? await claimedBy(claim, parts) : volume;
  const { path, type = '' } = claimed.hostPath ?? {};
  if (path === undefined) return undefined;
  const real = resolve('/', path);
  const isAllowed = parts.hostPaths.some((allowed) => real === allowed || real.startsWith(`${allowed}/`));
  if (!isAllowed) throw new Error(`${real} is in no folder that pods may use (--node-host-paths)`);
  if (type.endsWith('OrCreate')) mkdirSync(real, { recursive: true });
  return real;
}

async function claimedBy(name: string, { client, pod }: VolumeParts): Promise<Pick<Volume, 'hostPath'>> {
  const claim = await client.get(persistentVolumeClaims, { namespace: namespaceOf(pod), name });
  if (claim.status?.phase !== 'Bound') throw new Error(`the claim ${JSON.stringify(name)} is not bound`);
  const { spec } = await client.get(persistentVolumes, { name: claim.spec?.volumeName ?? '' });
  const hostPath = spec?.hostPath ?? (spec?.local && { path: spec.local.path });
  return hostPath ? { hostPath } : {};
}
