import type { KubeObject } from '../base/kube-object.ts';
import type { Lookup } from '../kinds/strategy.ts';

/** Objects to look up, which a test may change as it likes; keys are `resource/namespace/name`. */
export class Objects implements Lookup {
  readonly all = new Map<string, KubeObject>();
  put(resource: string, namespace: string, name: string, rest: object = {}, metadata: object = {}): KubeObject {
    const object = {
      kind: '',
      apiVersion: 'v1',
      ...rest,
      metadata: { name, namespace, uid: `uid-of-${name}`, ...metadata },
    } as KubeObject;
    this.all.set(`${resource}/${namespace}/${name}`, object);
    return object;
  }
  remove(resource: string, namespace: string, name: string): void {
    this.all.delete(`${resource}/${namespace}/${name}`);
  }
  async get(_group: string, resource: string, namespace: string, name: string) {
    return this.all.get(`${resource}/${namespace}/${name}`);
  }
  async list() {
    return [...this.all.values()];
  }
}

/** Values of a Secret's data. */
export const encoded = (data: Readonly<Record<string, string>>) => ({
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});
