import { apiVersionOf } from '../base/kube-object.ts';
import type { Conversion, KindRules } from '../kinds/strategy.ts';
import { type BuiltInResource, builtInResources, structureOfKind } from '../schema/load.ts';
import type { StructType } from '../schema/structure.ts';
import { kindPrefix } from '../store/object-keys.ts';
import { type Resource, type ServedVersion, type SubresourceInfo, servedVersion } from './resource.ts';
import type { IsServed } from './runtime-config.ts';

/** A resource with what only discovery shows of it. */
export interface ListedResource extends Resource {
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly singular: string;
}

const anyStructure: StructType = {
  type: 'struct',
  name: '',
  fields: new Map(),
  required: [],
  atomic: false,
  preserveUnknown: true,
  embedded: false,
};

/** The built-in resources with the special rules of their kinds. Depends on nothing but its argument; made once. */
export function builtIns(kinds: readonly KindRules[], isServed: IsServed = () => true): readonly ListedResource[] {
  const byKind = new Map<string, KindRules>();
  for (const rules of kinds) {
    byKind.set(`${rules.group}/${rules.kind}`, rules);
    for (const version of Object.keys(rules.conversions ?? {}))
      byKind.set(`${qualified(rules, version)}/${rules.kind}`, rules);
  }
  return builtInResources()
    .filter(({ group, version, resource }) => isServed(group, version, resource))
    .map((found) => builtIn(found, rulesFor(found, byKind)));
}

/** Keys of conversions are versions of the kind's own group, or `group/version`. */
const qualified = ({ group }: KindRules, version: string) =>
  version.includes('/') ? version : apiVersionOf(group, version);

const conversionFor = (rules: KindRules, group: string, version: string) =>
  rules.conversions?.[apiVersionOf(group, version)] ??
  (rules.group === group ? rules.conversions?.[version] : undefined);

function rulesFor(
  { group, version, kind, resource }: BuiltInResource,
  byKind: ReadonlyMap<string, KindRules>,
): KindRules {
  const apiVersion = apiVersionOf(group, version);
  return byKind.get(`${apiVersion}/${kind}`) ?? byKind.get(`${group}/${kind}`) ?? { group, version, kind, resource };
}

function builtIn(found: BuiltInResource, rules: KindRules): ListedResource {
  const { group, version, kind } = found;
  const storage = builtInVersion(rules);
  const isStored = storage.group === group && storage.version === version;
  const subresources = new Map(found.subresources.map((sub) => [sub.name, subresourceOf(found, sub)]));
  const deprecation = rules.group === group ? rules.deprecations?.[version] : undefined;
  return {
    group,
    plural: found.resource,
    kind,
    listKind: `${kind}List`,
    namespaced: found.namespaced,
    verbs: new Set(found.verbs),
    subresources,
    served: isStored
      ? storage
      : builtInVersion(found, conversionFor(rules, group, version) ?? renamed(storage, group, version)),
    storage,
    rules,
    prefix: kindPrefix(rules),
    splitsStatus: subresources.has('status'),
    shortNames: found.shortNames,
    categories: found.categories,
    singular: found.singularName,
    ...(deprecation !== undefined && { deprecation }),
  };
}

const builtInVersion = (of: Pick<KindRules, 'group' | 'version' | 'kind'>, conversion?: Conversion): ServedVersion =>
  servedVersion(of, () => structureOfKind(of.group, of.version, of.kind) ?? anyStructure, conversion);

/** Versions of one form differ in their apiVersion alone. */
function renamed(storage: ServedVersion, group: string, version: string) {
  const apiVersion = apiVersionOf(group, version);
  return {
    toStorage: (object: { apiVersion: string }) => ({ ...object, apiVersion: storage.apiVersion }) as never,
    fromStorage: (object: { apiVersion: string }) => ({ ...object, apiVersion }) as never,
  };
}

function subresourceOf(parent: BuiltInResource, sub: BuiltInResource['subresources'][number]): SubresourceInfo {
  return {
    name: sub.name,
    kind: sub.kind,
    group: sub.group ?? parent.group,
    version: sub.version ?? parent.version,
    verbs: new Set(sub.verbs),
  };
}

/** All resources that a server serves: the built-in ones of its configuration, and custom ones that come and go. */
export class Resources {
  readonly #builtIn = new Map<string, ListedResource>();
  #custom = new Map<string, ListedResource>();
  readonly #groupVersions = new Set<string>();
  #generation = 0;

  constructor(builtIn: readonly ListedResource[]) {
    for (const resource of builtIn) {
      this.#builtIn.set(idOf(resource), resource);
      this.#groupVersions.add(resource.served.apiVersion);
    }
  }

  /** Rises whenever what is served changes. */
  get generation(): number {
    return this.#generation;
  }

  find(group: string, version: string, plural: string): ListedResource | undefined {
    const id = `${group}/${version}/${plural}`;
    return this.#builtIn.get(id) ?? this.#custom.get(id);
  }

  /** Any served version of a resource. */
  findAnyVersion(group: string, plural: string): ListedResource | undefined {
    for (const resource of this.all()) if (resource.group === group && resource.plural === plural) return resource;
    return undefined;
  }

  *all(): Generator<ListedResource> {
    yield* this.#builtIn.values();
    yield* this.#custom.values();
  }

  hasGroup(group: string): boolean {
    for (const resource of this.all()) if (resource.group === group) return true;
    return false;
  }

  hasBuiltInGroup(group: string): boolean {
    for (const resource of this.#builtIn.values()) if (resource.group === group) return true;
    return false;
  }

  hasGroupVersion(group: string, version: string): boolean {
    if (this.#groupVersions.has(apiVersionOf(group, version))) return true;
    for (const resource of this.#custom.values()) {
      if (resource.group === group && resource.served.version === version) return true;
    }
    return false;
  }

  /** Replaces all custom resources. Built-in ones can't be shadowed. */
  setCustom(custom: readonly ListedResource[]): void {
    this.#generation++;
    this.#custom = new Map(custom.map((resource) => [idOf(resource), resource]));
  }
}

const idOf = ({ served, group, plural }: ListedResource) => `${group}/${served.version}/${plural}`;
