import { createHash } from 'node:crypto';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';

type Template = NonNullable<Deployment['spec']>['template'];

export const hashLabel = 'pod-template-hash';

/** The template without the label that says which it is: what two sets of the same revision have in common. */
function bare(template: Template | undefined): unknown {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels, creationTimestamp: undefined } };
}

/** JSON with the keys in order, so that equal values give equal texts. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, ordered(each)]),
  );
};

const textOf = (template: Template | undefined): string => JSON.stringify(ordered(bare(template)));

/** Ten characters that stand for a template. `collisions` tells apart sets whose names would be the same. */
export function templateHash({ spec, status }: Deployment): string {
  const text = `${textOf(spec?.template)}${status?.collisionCount ?? ''}`;
  return BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 13)}`)
    .toString(36)
    .slice(0, 10);
}

export const hasTemplateOf = (set: ReplicaSet, { spec }: Deployment): boolean =>
  textOf(set.spec?.template) === textOf(spec?.template);
