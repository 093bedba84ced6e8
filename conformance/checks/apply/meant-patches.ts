import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { inForms } from '../lists/selecting-forms.ts';
import { patchExamples } from './patch-examples.ts';
import {
  jsonPatchMeans,
  mergeListsMean,
  mergeMapsMean,
  mergePatchMeans,
  strategicListsMean,
  strategicPatchMeans,
} from './patch-meanings.ts';
import { jsonListsMean } from './patched-lists.ts';
import { jsonLongListsMean } from './patched-long-lists.ts';
import { refusesShapeless } from './shapeless-patches.ts';
import { strategicStatusMeans } from './strategic-statuses.ts';
import { strategicTextsMean } from './strategic-texts.ts';
import { refusesUnfit } from './unfit-patches.ts';

type Means = typeof jsonPatchMeans;

/** What a patch of each type means, beside that it changes something. */
const meanings: Readonly<Record<string, readonly Means[]>> = {
  'JSON patch': [jsonPatchMeans],
  'merge patch': [mergePatchMeans],
  'strategic merge patch': [strategicPatchMeans],
};

/** For finalizers: controllers have some of their own on some kinds. */
const ofTexts: Readonly<Record<string, readonly Means[]>> = {
  'JSON patch': [jsonListsMean],
  'strategic merge patch': [strategicTextsMean],
};

/** For what Deployments have. */
const ofParts: Readonly<Record<string, readonly Means[]>> = {
  'merge patch': [mergeListsMean, mergeMapsMean],
  'strategic merge patch': [strategicListsMean, refusesUnfit],
};

/** For what Roles have. */
const ofRules: Readonly<Record<string, readonly Means[]>> = {
  'JSON patch': [jsonLongListsMean],
};

/** For what Services have, to whose status nobody else writes: conditions, which are kept since v1.24. */
const ofStatus: Readonly<Record<string, readonly Means[]>> = {
  'strategic merge patch': [strategicStatusMeans],
};

/** What a patch of this type is asked of a kind. */
export function meaningsOf({ busy, name }: Subject, write: string, version: string): readonly Means[] {
  return [
    ...(meanings[write] ?? []),
    ...((!busy && ofTexts[write]) || []),
    ...((name === 'deployments' && ofParts[write]) || []),
    ...((name === 'roles' && ofRules[write]) || []),
    ...((name === 'services' && !heldFrom({ from: 24 }, version) && ofStatus[write]) || []),
  ];
}

/** Tries on an object all that a patch can say. @param write the name of its type */
export async function meansWhatItSays(
  context: RuleContext & { readonly objects: Collection },
  kind: Subject,
  write: string,
  name: string,
): Promise<void> {
  const { objects, version, expect } = context;
  for (const means of meaningsOf(kind, write, version)) await means(objects, expect, name);
  if (kind.name === 'widgets') await patchExamples[write]?.(context);
  // Before bodies were looked at for unknown fields some of these were found out late.
  if (inForms.includes(kind) && !heldFrom({ from: 25 }, version))
    await refusesShapeless(objects, expect, { name, write });
}
