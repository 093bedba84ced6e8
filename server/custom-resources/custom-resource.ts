import { lazily } from '../base/caches/memo.ts';
import { apiVersionOf, type KubeObject, parseApiVersion } from '../base/kube-object.ts';
import { statusAnswer } from '../base/status-error.ts';
import type { KindRules } from '../kinds/strategy.ts';
import type { CustomDefinition, Resource, SubresourceInfo } from '../registry/resource.ts';
import type { ListedResource } from '../registry/resources.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { StructType } from '../schema/structure.ts';
import { kindPrefix, objectKey } from '../store/object-keys.ts';
import { type CompiledVersion, compileVersion } from './compiled-version.ts';
import type { ConvertObject } from './conversion.ts';
import { customRules } from './custom-rules.ts';
import { customResourceDefinition } from './definition/definition.ts';
import { isTerminating } from './definition/establish.ts';
import type { Definition, DefinitionVersion } from './definition-shape.ts';
import { objectMeta } from './structure.ts';
import { compareVersions } from './version-order.ts';
import type { VersionParts } from './version-parts.ts';

/** One served version of a custom kind. */
export interface CustomResource extends ListedResource {
  /** Name of the definition. */
  readonly definition: string;
  readonly schema: JsonSchema;
  /** The text of the warning that each request to this version is answered with. */
  readonly deprecation?: string;
}

/** In the order in which discovery lists them. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/**
 * The resources that an established definition serves, one a version, in the order of discovery. What has to be
 * compiled is compiled at first use. `convert` turns objects into another version of the kind; `lasts` is aborted once
 * the definition says something else.
 */
export function customResources(definition: Definition, convert: ConvertObject, lasts: AbortSignal): CustomResource[] {
  const { versions } = definition.spec;
  const storage = versions.find((version) => version.storage);
  if (!storage) return [];
  const compiled = new Map(versions.map((version) => [version.name, lazily(() => compileVersion(version))]));
  const of = (name: string) => (compiled.get(name) as () => CompiledVersion)();
  const better = newestOf(versions);
  return versions
    .filter((version) => version.served)
    .sort((one, other) => compareVersions(one.name, other.name))
    .map((version) => resourceOf({ definition, version, storage, better, convert, lasts, compiled: of }));
}

function resourceOf(parts: VersionParts): CustomResource {
  const { definition, version, storage } = parts;
  const { group, scope } = definition.spec;
  const names = definition.status?.acceptedNames ?? {};
  const { kind = '', plural = '', listKind = `${kind}List`, singular = '', shortNames = [], categories = [] } = names;
  const namespaced = scope === 'Namespaced';
  const subresources = subresourcesOf(definition, version, kind);
  const schema = version.schema?.openAPIV3Schema ?? {};
  const deprecation = deprecationOf(parts, kind);
  const rules = lazily((): KindRules => customRules(parts, kind, plural));
  return {
    definition: definition.metadata.name ?? '',
    group,
    plural,
    kind,
    listKind,
    namespaced,
    verbs: new Set(verbs),
    subresources,
    served: servedOf(parts, version, kind),
    storage: servedOf(parts, storage, kind),
    get rules() {
      return rules();
    },
    prefix: kindPrefix({ group, resource: plural }),
    splitsStatus: version.subresources?.status !== undefined,
    custom: {
      definition: storedAs(definition),
      terminating: isTerminating(definition),
      version: (name) => definedVersion(parts, name, kind),
      lasts: parts.lasts,
    },
    shortNames,
    categories,
    singular,
    schema,
    ...(deprecation !== undefined && { deprecation }),
  };
}

const storedAs = ({ metadata }: Definition): CustomDefinition => ({
  key: objectKey(customResourceDefinition, '', metadata.name ?? ''),
  uid: metadata.uid,
  isTerminating: (now) => isTerminating(now as Definition),
});

function definedVersion(parts: VersionParts, name: string, kind: string): Resource['served'] | undefined {
  const version = parts.definition.spec.versions.find((each) => each.name === name);
  return version && servedOf(parts, version, kind);
}

function servedOf(parts: VersionParts, version: DefinitionVersion, kind: string): Resource['served'] {
  const { group } = parts.definition.spec;
  const apiVersion = apiVersionOf(group, version.name);
  const structure = lazily(() => parts.compiled(version.name).structure(objectMeta()));
  return {
    group,
    version: version.name,
    apiVersion,
    kind,
    get structure(): StructType {
      return structure();
    },
    conversion: {
      fromStorage: (object) => readAs(parts, version, apiVersion, object),
      toStorage: (object) => writeAs(parts, object),
      relabel: (object) => (object.apiVersion === apiVersion ? object : parts.convert(object, apiVersion)),
      asksOthers: parts.definition.spec.conversion?.strategy === 'Webhook',
    },
  };
}

/**
 * A stored object as a version shows it: as the version in which it is stored knows it and with that one's defaults
 * (those of another one are for what is written in it), converted, without what the version does not know. The same
 * reference when it is stored just so. @throws 500 its version is not defined any more
 */
function readAs(parts: VersionParts, { name }: DefinitionVersion, apiVersion: string, object: KubeObject) {
  const { version } = parseApiVersion(object.apiVersion);
  if (!parts.definition.spec.versions.some((each) => each.name === version)) throw undefinedVersion(object.apiVersion);
  const { prune, fill } = parts.compiled(version);
  const known = fill(prune(object));
  return known.apiVersion === apiVersion ? known : then(parts.convert(known, apiVersion), parts.compiled(name).prune);
}

const undefinedVersion = (apiVersion: string) =>
  statusAnswer(500, `the object is stored as ${apiVersion}, a version that its definition does not have any more`);

/** An object as it is stored: in the storage version, without what that one lacks. */
function writeAs({ definition, storage, convert, compiled }: VersionParts, object: KubeObject) {
  const apiVersion = apiVersionOf(definition.spec.group, storage.name);
  const { prune, scale } = compiled(storage.name);
  if (object.apiVersion !== apiVersion) return then(convert(object, apiVersion), prune);
  // A scale may say to put its number where the schema has no place for it.
  return scale ? prune(object) : object;
}

const then = (object: KubeObject | Promise<KubeObject>, next: (object: KubeObject) => KubeObject) =>
  object instanceof Promise ? object.then(next) : next(object);

function subresourcesOf({ spec: { group } }: Definition, version: DefinitionVersion, kind: string) {
  const found = new Map<string, SubresourceInfo>();
  const subVerbs = new Set(subresourceVerbs);
  const { status, scale } = version.subresources ?? {};
  if (status) found.set('status', { name: 'status', kind, group, version: version.name, verbs: subVerbs });
  if (scale) found.set('scale', { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: subVerbs });
  return found;
}

/** The name of the newest version that is served and not deprecated. */
const newestOf = (versions: readonly DefinitionVersion[]): string | undefined =>
  versions
    .filter(({ served, deprecated }) => served && !deprecated)
    .map(({ name }) => name)
    .sort(compareVersions)[0];

/** The warning of a deprecated version: its own text, or one that names the newest version in its place. */
function deprecationOf({ definition: { spec }, version, better }: VersionParts, kind: string): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const text = `${spec.group}/${version.name} ${kind} is deprecated`;
  return better && compareVersions(better, version.name) < 0 ? `${text}; use ${spec.group}/${better} ${kind}` : text;
}
