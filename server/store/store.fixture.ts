import type { KubeObject } from '../base/kube-object.ts';
import type { Change, Store, Stored } from './store.ts';

/** Gives a fresh, empty store. */
export type MakeStore = () => Store | Promise<Store>;

/** An object for tests; `data` tells versions apart. */
export const object = (name: string, data: unknown = {}): KubeObject => ({
  kind: 'Thing',
  apiVersion: 'example.com/v1',
  metadata: { name },
  data,
});

/** A change that writes new data and leaves the rest. */
export const writing = (data: unknown) => (current: Stored) => ({
  write: object(current.value.metadata.name ?? '', data),
});

export const removing = (): Change => ({ remove: true });

export const dataOf = (stored: Stored | undefined) => stored?.value['data'];
export const keysOf = (items: readonly Stored[]) => items.map(({ key }) => key);

/** Waits long enough for others to come between. */
export const soon = () => new Promise<void>((resolve) => setImmediate(resolve));
