import { orderedText, shortHash } from '../runtime/ordered-text.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';

type Template = NonNullable<Deployment['spec']>['template'];

export const hashLabel = 'pod-template-hash';

/** The template without the label that says which it is: what two sets of the same revision have in common. */
function bare(template: Template | undefined): unknown {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels, creationTimestamp: undefined } };
}

const textOf = (template: Template | undefined): string => orderedText(bare(template));

/** Ten characters that stand for a template. `collisions` tells apart sets whose names would be the same. */
export function templateHash({ spec, status }: Deployment): string {
  const text = `${textOf(spec?.template)}${status?.collisionCount ?? ''}`;
  return shortHash(text);
}

export const hasTemplateOf = (set: ReplicaSet, { spec }: Deployment): boolean =>
  textOf(set.spec?.template) === textOf(spec?.template);
