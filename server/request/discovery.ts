import { createHash } from 'node:crypto';
import { apiVersionOf } from '../base/kube-object.ts';
import { noSuchPath } from '../base/status-error.ts';
import { compareVersions } from '../custom-resources/version-order.ts';
import type { ListedResource, Resources } from '../registry/resources.ts';
import { apiGroups } from '../schema/load.ts';
import { encodeObject } from './encode.ts';
import type { Exchange } from './exchange.ts';
import { everyMediaType } from './negotiate.ts';
import type { Answer } from './respond.ts';

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

/** The named groups that are served: built-in ones in their documented order, then custom ones by name. */
export function servedGroups(resources: Resources): Group[] {
  const versions = new Map<string, Set<string>>();
  for (const { group, served } of resources.all()) {
    if (group === '') continue;
    const known = versions.get(group);
    if (known) known.add(served.version);
    else versions.set(group, new Set([served.version]));
  }
  const order = new Map(apiGroups().map(({ name }, position) => [name, position]));
  const place = (name: string) => order.get(name) ?? Number.POSITIVE_INFINITY;
  return [...versions]
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([name, found]) => groupOf(name, [...found]));
}

function groupOf(name: string, found: readonly string[]): Group {
  const documented = apiGroups().find((group) => group.name === name)?.versions ?? [];
  const place = (version: string) => {
    const position = documented.indexOf(version);
    return position < 0 ? Number.POSITIVE_INFINITY : position;
  };
  const versions = [...found]
    .sort((a, b) => place(a) - place(b) || compareVersions(a, b))
    .map((version) => ({ groupVersion: apiVersionOf(name, version), version }));
  return { name, versions, preferredVersion: versions[0] ?? { groupVersion: name, version: '' } };
}

/** `/apis` */
export const groupList = (exchange: Exchange, resources: Resources): Promise<Answer> =>
  document(exchange, { kind: 'APIGroupList', apiVersion: 'v1', groups: servedGroups(resources) }, true);

/** `/apis/{group}`; undefined when the group is not served. */
export function group(exchange: Exchange, resources: Resources, name: string): Promise<Answer> | undefined {
  const found = servedGroups(resources).find((each) => each.name === name);
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
