import type { KubeObject } from '../server/base/kube-object.ts';
import { atOnce } from '../server/base/turns/work.ts';
import { trackUpdate } from '../server/patch/apply/track-update.ts';
import { untracked } from '../server/patch/apply/tracked-write.ts';
import type { BootstrapFields, BootstrapObject } from '../server/schema/load.ts';
import { structureOfKind } from '../server/schema/load.ts';

type Objects = Readonly<Record<string, readonly BootstrapObject[]>>;
type Discovery = Readonly<Record<string, { readonly resources?: readonly { name: string; kind: string }[] }>>;

/** What nobody asked for, since the kind fills it in. */
const filledIn: Readonly<Record<string, readonly (readonly string[])[]>> = {
  namespaces: [['spec']],
  services: [
    ['spec', 'clusterIPs'],
    ['spec', 'ipFamilies'],
  ],
};

/** What a server adds to them: texts in words of our own, and what is there as soon as it looks at them. */
const added: Readonly<Record<string, (name: string) => object>> = {
  priorityclasses: (name) => ({ description: descriptions[name] }),
  prioritylevelconfigurations: () => ({ status: {} }),
};

const descriptions: Readonly<Record<string, string>> = {
  'system-cluster-critical': 'For pods without which the cluster does not work; they may run on any node.',
  'system-node-critical': 'For pods without which their node does not work; nothing comes before them.',
};

const flowManager = 'api-priority-and-fairness-config-producer-v1';
const managers: Readonly<Record<string, string>> = {
  flowschemas: flowManager,
  prioritylevelconfigurations: flowManager,
};

const pluralOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The objects with all that is stored of them. */
export const bootstrapObjects = (objects: Objects): Objects =>
  Object.fromEntries(
    Object.entries(objects).map(([path, each]) => [
      path,
      each.map((object) => ({ ...object, ...added[pluralOf(path)]?.(object.metadata.name ?? '') })),
    ]),
  );

/** What a create of each object would book to its manager, each set of fields once. Worked out here, not at each start. */
export function bootstrapFields(objects: Objects, discovery: Discovery): BootstrapFields {
  const sets = new Map<string, number>();
  const numberOf = (fields: object) => {
    const text = JSON.stringify(fields);
    if (!sets.has(text)) sets.set(text, sets.size);
    return sets.get(text) as number;
  };
  const of = Object.entries(objects).map(([path, each]) => {
    const plural = pluralOf(path);
    const place = path.slice(0, -plural.length - 1);
    const kind = discovery[place]?.resources?.find(({ name }) => name === plural)?.kind ?? '';
    const [version = '', group = ''] = place.split('/').slice(2).toReversed();
    const structure = structureOfKind(group, version, kind);
    if (!structure) throw new Error(`no structure of ${path}`);
    const ignored = untracked(['status'], ...(filledIn[plural] ?? []));
    const fieldsOf = (object: BootstrapObject) => {
      const next = { kind, apiVersion: '', ...object } as unknown as KubeObject;
      const booked = atOnce(
        trackUpdate({
          structure,
          manager: '-',
          apiVersion: '',
          subresource: '',
          next,
          untracked: ignored,
        }),
      );
      const [entry] = booked;
      return numberOf(entry?.fieldsV1 ?? {});
    };
    return [path, each.map(fieldsOf)] as const;
  });
  const paths = Object.keys(objects);
  const others = paths.flatMap((path) =>
    managers[pluralOf(path)] ? [[path, managers[pluralOf(path)] as string]] : [],
  );
  return {
    sets: [...sets.keys()].map((text) => JSON.parse(text)),
    of: Object.fromEntries(of),
    managers: Object.fromEntries(others),
  };
}
