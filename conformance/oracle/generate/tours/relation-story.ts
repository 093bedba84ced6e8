import type { Json } from '../../../verbs/client.ts';
import { type PatchType, patchTypes } from '../../../verbs/patch-types.ts';
import { ownLabels } from '../../play/scenario.ts';
import { type StepParts, Story } from '../story.ts';

export const inPlace = (place: number): string => `/api/v1/namespaces/<own>-${place}`;

/** A story of objects of several kinds. */
export class Relations {
  readonly story = new Story();

  make(kind: string, path: string, json: Json, parts: StepParts = {}): string {
    const what = `create ${path.slice(path.lastIndexOf('/') + 1)}${parts.query ? ' dry' : ''}`;
    const apiVersion = path.startsWith('/api/') ? 'v1' : path.split('/').slice(2, 4).join('/');
    return this.story.add(what, 'POST', path, { body: { json: { apiVersion, kind, ...json } }, ...parts });
  }

  pod(name: string, spec: Json = {}, parts: StepParts = {}): string {
    const containers = [{ name: 'main', image: 'registry.example/pause:1', ...spec.container }];
    const { container: _, ...rest } = spec;
    const json = {
      metadata: { name, labels: { app: '<own>' } },
      spec: { containers, schedulerName: 'nobody', ...rest },
    };
    return this.make('Pod', `${inPlace(1)}/pods`, json, parts);
  }

  patch(path: string, json: Json, type: PatchType = 'merge', parts: StepParts = {}): string {
    const what = `${type} patch ${path.split('/').slice(-3, -1).join('/')}`;
    return this.story.add(what, 'PATCH', path, {
      body: { json },
      headers: { 'content-type': patchTypes[type] },
      ...parts,
    });
  }

  get(path: string): string {
    return this.story.add(`get ${path.split('/').slice(-2, -1)}`, 'GET', path);
  }

  remove(path: string, parts: StepParts = {}): string {
    return this.story.add(`delete ${path.split('/').slice(-2, -1)}`, 'DELETE', path, parts);
  }
}

/** What a Pod says of its container's resources. */
export const sized = (requests: Json, limits?: Json): Json => ({
  container: { resources: { requests, ...(limits ? { limits } : {}) } },
});

/** A claim that is called by its size, unless it is given a name. */
export const claim = (storage: string, name = `c${storage.toLowerCase()}`): Json => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName: 'none' },
});

/** How an object in no namespace is called and labelled. */
export const cluster = (name: string): Json => ({ metadata: { name: `<own>-${name}`, labels: ownLabels } });
