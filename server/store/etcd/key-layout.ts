import { lazily } from '../../base/caches/memo.ts';
import { builtInResources } from '../../schema/load.ts';

/** How the keys of a Store are spelt in etcd. */
export interface KeyLayout {
  /** What all keys in etcd begin with. */
  readonly root: string;
  toEtcd(key: string): string;
  /** Undefined: the key in etcd is none of an object. */
  fromEtcd(key: string): string | undefined;
  /**
   * What the keys in etcd begin with that are under the prefix, in the same order; undefined: they are not together.
   */
  prefixInEtcd(prefix: string): string | undefined;
}

/** Resources whose folder in a v1.25 server's etcd has another name; by `group/resource`. */
const renamedFolders: Readonly<Record<string, string>> = {
  '/replicationcontrollers': 'controllers',
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/services': 'services/specs',
  'networking.k8s.io/ingresses': 'ingress',
};
/** Built-in groups whose folders, like those of custom ones, begin with the group. */
const groupsWithFolder: readonly string[] = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

interface Place {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

const placeId = (group: string, resource: string) => `${group}/${resource}`;

const places = lazily(() => {
  const byId = new Map<string, string>();
  const byFolder = new Map<string, Place>();
  for (const { group, resource, namespaced } of builtInResources()) {
    const id = placeId(group, resource);
    const folder = renamedFolders[id] ?? (groupsWithFolder.includes(group) ? id : resource);
    byId.set(id, folder);
    // Events are shown in two groups, and stored as those of the core.
    if (!byFolder.has(folder) || group === '') byFolder.set(folder, { group, resource, namespaced });
  }
  return { byId, byFolder };
});

/**
 * As a v1.25 API server spells its keys: `<root>/<folder>/<namespace>/<name>`, or without the namespace. The folder is
 * the resource, with few exceptions; of custom resources it is `<group>/<resource>`.
 */
export function kubernetesLayout(prefix: string): KeyLayout {
  const root = `${prefix.startsWith('/') ? '' : '/'}${prefix.replace(/\/+$/, '')}/`;
  const folderOf = (group: string, resource: string) =>
    places().byId.get(placeId(group, resource)) ?? placeId(group, resource);
  return {
    root,
    toEtcd(key) {
      const [group = '', resource = '', namespace = '', ...name] = key.split('/');
      return `${root}${folderOf(group, resource)}/${namespace && `${namespace}/`}${name.join('/')}`;
    },
    fromEtcd: (key) => (key.startsWith(root) ? ownKey(key.slice(root.length).split('/')) : undefined),
    prefixInEtcd(own) {
      const [group = '', resource = '', namespace, ...rest] = own.split('/');
      if (namespace === undefined) return undefined;
      const folder = `${root}${folderOf(group, resource)}/`;
      if (rest.length === 0) return namespace === '' ? folder : undefined;
      return `${folder}${namespace && `${namespace}/`}${rest.join('/')}`;
    },
  };
}

/** From the steps below the root. */
function ownKey(steps: readonly string[]): string | undefined {
  for (const length of [1, 2]) {
    const place = places().byFolder.get(steps.slice(0, length).join('/'));
    if (place) return keyIn(place, steps.slice(length));
  }
  const [group = '', resource = '', ...rest] = steps;
  // Groups of custom resources have a dot; anything else belongs to somebody else.
  if (!group.includes('.')) return undefined;
  return keyIn({ group, resource, namespaced: rest.length === 2 }, rest);
}

function keyIn({ group, resource, namespaced }: Place, rest: readonly string[]): string | undefined {
  const wanted = namespaced ? 2 : 1;
  if (rest.length !== wanted || rest.includes('')) return undefined;
  return `${group}/${resource}/${namespaced ? rest.join('/') : `/${rest[0]}`}`;
}
