import { createHash } from 'node:crypto';
import { apiVersionOf } from '../base/kube-object.ts';
import { noSuchPath } from '../base/status-error.ts';
import { compareVersions } from '../custom-resources/version-order.ts';
import type { ListedResource, Resources } from '../registry/resources.ts';
import { apiGroups } from '../schema/load.ts';
import type { AggregatedApis } from './aggregation/aggregated-apis.ts';
import { encodeObject } from './answer/encode.ts';
import type { Answer } from './answer/respond.ts';
import type { Exchange } from './exchange.ts';
import { everyMediaType } from './negotiate.ts';

const noTransforms = { mediaTypes: everyMediaType, transforms: [] };

/** A document that negotiates all three media types; `ranges`: also by `application/*`. */
async function document(exchange: Exchange, value: unknown, ranges = false): Promise<Answer> {
  exchange.negotiate({ ...noTransforms, ranges });
  const { mediaType } = exchange.representation;
  return { code: 200, contentType: mediaType, body: await encodeObject(value, mediaType, exchange.isPretty) };
}

/** `/api` */
export function apiVersions(exchange: Exchange): Promise<Answer> {
  const address = exchange.header('host') ?? exchange.header(':authority') ?? '';
  return document(exchange, {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  });
}

interface GroupVersion {
  readonly groupVersion: string;
  readonly version: string;
}

interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
  readonly preferredVersion: GroupVersion;
}

/** What a server serves itself, and what others serve behind it. */
interface Served {
  readonly resources: Resources;
  readonly aggregated: Pick<AggregatedApis, 'all'>;
}

/** A version of a group, and how soon it is to be told of among others that are not built in. */
interface Ranked {
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

const custom = { groupPriority: 1000, versionPriority: 100 };

/** The named groups that are served: built-in ones in their documented order, then others by priority and name. */
export function servedGroups({ resources, aggregated }: Served): Group[] {
  const groups = new Map<string, Map<string, Ranked>>();
  const add = (name: string, ranked: Ranked) => {
    const known = groups.get(name) ?? new Map<string, Ranked>();
    groups.set(name, known.set(ranked.version, ranked));
  };
  for (const { group, served } of resources.all()) if (group) add(group, { version: served.version, ...custom });
  for (const api of aggregated.all) add(api.group, api);
  const order = new Map(apiGroups().map(({ name }, position) => [name, position]));
  const place = ({ name }: { readonly name: string }) => order.get(name) ?? order.size;
  return [...groups]
    .map(([name, versions]) => ({ name, versions: [...versions.values()] }))
    .sort((a, b) => place(a) - place(b) || highest(b.versions) - highest(a.versions) || (a.name < b.name ? -1 : 1))
    .map(({ name, versions }) => groupOf(name, versions));
}

const highest = (versions: readonly Ranked[]) => Math.max(...versions.map(({ groupPriority }) => groupPriority));

function groupOf(name: string, found: readonly Ranked[]): Group {
  const documented = apiGroups().find((group) => group.name === name)?.versions ?? [];
  const place = (version: string) => {
    const position = documented.indexOf(version);
    return position < 0 ? documented.length : position;
  };
  const versions = [...found]
    .sort(
      (a, b) =>
        place(a.version) - place(b.version) ||
        b.versionPriority - a.versionPriority ||
        compareVersions(a.version, b.version),
    )
    .map(({ version }) => ({ groupVersion: apiVersionOf(name, version), version }));
  return { name, versions, preferredVersion: versions[0] ?? { groupVersion: name, version: '' } };
}

/** `/apis` */
export const groupList = (exchange: Exchange, served: Served): Promise<Answer> =>
  document(exchange, { kind: 'APIGroupList', apiVersion: 'v1', groups: servedGroups(served) }, true);

/** `/apis/{group}`; undefined when the group is not served. */
export function group(exchange: Exchange, served: Served, name: string): Promise<Answer> | undefined {
  const found = servedGroups(served).find((each) => each.name === name);
  return found && document(exchange, { kind: 'APIGroup', apiVersion: 'v1', ...found }, true);
}

/** `/api/v1` and `/apis/{group}/{version}`. @throws 404 */
export function resourceList(exchange: Exchange, resources: Resources, name: string, version: string): Promise<Answer> {
  if (!resources.hasGroupVersion(name, version)) throw noSuchPath();
  const found = [...resources.all()].filter((each) => each.group === name && each.served.version === version);
  const list = {
    kind: 'APIResourceList',
    ...(name && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(name, version),
    resources: found.flatMap((each) => entriesOf(each, isStoredAsServed(each, resources))),
  };
  return document(exchange, list, name !== '' && !resources.hasBuiltInGroup(name));
}

/** Says, without saying more, when the version in which objects are stored changes. */
const storageVersionHash = ({ storage }: ListedResource) =>
  createHash('sha256')
    .update(`${storage.group}/${storage.version}/${storage.kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');

/** Of a custom kind the version in which it is stored may not be served, which is not told then. */
const isStoredAsServed = ({ custom, storage, plural }: ListedResource, resources: Resources): boolean =>
  !custom || resources.find(storage.group, storage.version, plural) !== undefined;

function entriesOf(resource: ListedResource, tellsStorage: boolean) {
  const { plural, singular, namespaced, served, verbs, shortNames, categories } = resource;
  const common = { namespaced, kind: served.kind };
  const own = {
    name: plural,
    singularName: singular,
    ...common,
    verbs: [...verbs],
    ...(verbs.has('update') && tellsStorage && { storageVersionHash: storageVersionHash(resource) }),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
  const below = [...resource.subresources.values()].map((sub) => ({
    name: `${plural}/${sub.name}`,
    singularName: '',
    namespaced,
    ...(sub.group !== resource.group || sub.version !== served.version
      ? { group: sub.group, version: sub.version }
      : {}),
    kind: sub.kind,
    verbs: [...sub.verbs],
  }));
  return [own, ...below];
}
