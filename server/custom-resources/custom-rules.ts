import { cloneJson } from '../base/clone.ts';
import { deepEqual } from '../base/deep-equal.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { customScale } from '../kinds/autoscaling/scale.ts';
import type { KindRules } from '../kinds/strategy.ts';
import { tableOf } from './printer-columns.ts';
import type { VersionParts } from './version-parts.ts';

/** The rules of one served version of a custom kind. The hooks get objects of that version, as clients wrote them. */
export function customRules(parts: VersionParts, kind: string, resource: string): KindRules {
  const { definition, version } = parts;
  const splitsStatus = version.subresources?.status !== undefined;
  const { validate, fill, scale } = parts.compiled(version.name);
  const throughStatus = (next: KubeObject, previous: KubeObject) => validate(next, previous, true);
  return {
    group: definition.spec.group,
    version: version.name,
    kind,
    resource,
    unconditionalUpdate: false,
    generationRises: (next, previous) => !sameContent(next, previous, splitsStatus),
    default: (object, applied) => assume(object, fill(object, applied)),
    validateCreate: (object) => validate(object, undefined),
    validateUpdate: (next, previous) => validate(next, previous),
    table: tableOf(version.additionalPrinterColumns),
    subresources: {
      ...(splitsStatus && { status: { prepareUpdate: keepAllButStatus, validateUpdate: throughStatus } }),
      ...(scale && { scale: customScale(scale) }),
    },
  };
}

/** Whether two objects differ in metadata (and status, where that is written apart) at most. */
function sameContent(next: KubeObject, previous: KubeObject, splitsStatus: boolean): boolean {
  const apart = (name: string) => name === 'metadata' || (splitsStatus && name === 'status');
  const content = (object: KubeObject) => Object.fromEntries(Object.entries(object).filter(([name]) => !apart(name)));
  return deepEqual(content(next), content(previous));
}

/** Makes an object the same as another, which may share parts with it. In place. */
function assume(object: KubeObject, other: KubeObject): void {
  if (object === other) return;
  for (const name of Object.keys(object)) if (!Object.hasOwn(other, name)) delete object[name];
  Object.assign(object, other);
}

/** A write to the status takes nothing else, not even labels. In place. */
function keepAllButStatus(next: KubeObject, previous: KubeObject): void {
  const { resourceVersion, managedFields } = next.metadata;
  const metadata = cloneJson(previous.metadata);
  delete metadata.resourceVersion;
  delete metadata.managedFields;
  next.metadata = { ...metadata, ...(resourceVersion && { resourceVersion }), ...(managedFields && { managedFields }) };
  const kept = Object.entries(previous).filter(([name]) => name !== 'metadata' && name !== 'status');
  for (const name of Object.keys(next)) if (name !== 'metadata' && name !== 'status') delete next[name];
  Object.assign(next, Object.fromEntries(kept));
}
