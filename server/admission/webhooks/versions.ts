import type { Json, KubeObject } from '../../base/kube-object.ts';
import type { ServedVersion } from '../../registry/resource.ts';
import { fromStorage, toStorage } from '../../registry/resource.ts';
import type { ListedResource, Resources } from '../../registry/resources.ts';
import { named } from '../../registry/typed.ts';
import { checkStructure } from '../../schema/check.ts';
import { structureOfKind } from '../../schema/load.ts';
import type { AdmissionAttributes, GroupVersionKind, GroupVersionResource } from '../admission.ts';

/** One request as a webhook is told of it: in the request's version, or in that of an equivalent resource. */
export interface RequestView {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** An object of the request in this version. */
  show(object: KubeObject): Promise<KubeObject>;
  /**
   * What became of an object in this version: checked against the structure, without unknown fields, with defaults.
   * @throws StatusError it does not fit
   */
  accept(patched: Json): Promise<KubeObject>;
  /** An accepted object in the version of the request. */
  restore(object: KubeObject): Promise<KubeObject>;
}

/** `as`: the equivalent resource; missing, the request's own. */
export function requestView(
  { kind, resource, subresource }: AdmissionAttributes,
  resources: Resources,
  as: ListedResource | undefined,
): RequestView {
  const own = resources.find(resource.group, resource.version, resource.resource);
  const whole = own && isWhole(kind, own.served);
  const shown = as ?? own;
  if (!shown || !whole) return bodyView(kind, as ? resourceOf(as) : resource);
  const { group, version } = shown.served;
  return {
    kind: subresource ? { ...kind, group, version } : { group, version, kind: shown.kind },
    resource: as ? resourceOf(as) : resource,
    show: async (object) => (as ? fromStorage(as, await toStorage(own, object)) : object),
    accept: (patched) => acceptWhole(shown, patched),
    restore: async (object) => (as ? fromStorage(own, await toStorage(as, object)) : object),
  };
}

const resourceOf = ({ group, served, plural }: ListedResource): GroupVersionResource => ({
  group,
  version: served.version,
  resource: plural,
});

const isWhole = (kind: GroupVersionKind, served: ServedVersion) =>
  kind.kind === served.kind && kind.group === served.group && kind.version === served.version;

async function acceptWhole(resource: ListedResource, patched: Json): Promise<KubeObject> {
  const { served, custom, rules } = resource;
  const { value } = checkStructure(patched, served.structure, { mode: custom ? 'prune' : 'typed' });
  const stored = await toStorage(resource, named(value, served));
  rules.default?.(stored);
  return fromStorage(resource, stored);
}

/** A body of another kind than the resource (a Scale, an Eviction, options of a connection) has one version only. */
function bodyView(kind: GroupVersionKind, resource: GroupVersionResource): RequestView {
  const apiVersion = kind.group ? `${kind.group}/${kind.version}` : kind.version;
  const same = async (object: KubeObject) => object;
  return {
    kind,
    resource,
    show: same,
    restore: same,
    async accept(patched) {
      const structure = structureOfKind(kind.group, kind.version, kind.kind);
      const value = structure ? checkStructure(patched, structure).value : (patched as { [key: string]: Json });
      return named(value, { kind: kind.kind, apiVersion });
    },
  };
}
