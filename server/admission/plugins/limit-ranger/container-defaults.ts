import type { LimitRange } from '../../../kinds/core/limit-range.ts';
import type { Container, Pod, Quantities } from '../../../kinds/core/pod/shape.ts';

/** Tells what was filled in. */
const annotation = 'kubernetes.io/limit-ranger';

/** Fills the containers of a pod from the defaults of a range and notes that in an annotation. In place. */
export function fillFromLimits(pod: Pod, range: LimitRange): void {
  const limits: Quantities = {};
  const requests: Quantities = {};
  for (const item of range.spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    Object.assign(limits, item.default);
    Object.assign(requests, item.defaultRequest);
  }
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const notes = [
    ...containers.flatMap((container) => fill(container, 'container', requests, limits)),
    ...initContainers.flatMap((container) => fill(container, 'init container', requests, limits)),
  ];
  if (notes.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
}

function fill(container: Container, what: string, requests: Quantities, limits: Quantities): string[] {
  const given = container.resources ?? {};
  const note = (names: readonly string[], part: string) =>
    names.length > 0 ? [`${names.toSorted().join(', ')} ${part} for ${what} ${container.name ?? ''}`] : [];
  const notes = [
    ...note(missing(given.requests, requests), 'request'),
    ...note(missing(given.limits, limits), 'limit'),
  ];
  if (notes.length === 0) return notes;
  const both = { limits: { ...limits, ...given.limits }, requests: { ...requests, ...given.requests } };
  container.resources = { ...given };
  for (const part of ['limits', 'requests'] as const)
    if (Object.keys(both[part]).length > 0) container.resources[part] = both[part];
  return notes;
}

const missing = (given: Quantities | undefined, defaults: Quantities): string[] =>
  Object.keys(defaults).filter((name) => !given || !Object.hasOwn(given, name));
