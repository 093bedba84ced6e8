import { invalidValue } from '../base/field-error.ts';
import { isTextOrNone } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { invalid } from '../base/status-error.ts';
import type { Work } from '../base/turns/work.ts';
import { applyJsonPatch, parseJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMerge } from '../patch/strategic-merge.ts';
import type { Decoded } from '../schema/decoded.ts';
import { oddlyWritten } from '../schema/scalars.ts';
import type { ServedVersion } from './resource.ts';
import { wordingPatches } from './write-answer.ts';

export type PatchType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/apply-patch+yaml';

/** The content types of PATCH. */
export const patchTypes: readonly PatchType[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
/** Custom resources have no strategic merge. */
export const customPatchTypes = patchTypes.filter((type) => type !== 'application/strategic-merge-patch+json');

/** Changes a document by a patch that was read once; called anew for each attempt. */
type Change = (document: { [key: string]: Json }) => Work<Json>;

export interface ReadPatch {
  readonly change: Change;
  /** Faults of the patch itself: keys given twice, unknown members of JSON patch operations. */
  readonly faults: readonly string[];
  /** Numbers that do not fit their field are cut to size. */
  readonly wrapsNumbers?: boolean;
  /** The same change where each number that was written with a fraction or an exponent has a fraction. */
  readonly trial?: Change;
}

/** A patch as its content type says it. @throws 400, 422 it is none of its type */
export function readPatch(
  type: PatchType,
  decoded: Decoded,
  { structure, kind, apiVersion }: ServedVersion,
): ReadPatch {
  if (type === 'application/strategic-merge-patch+json') {
    // What the patch says of kind and version is not looked at, as long as it is text.
    const change: Change = function* (document) {
      const merged = yield* applyStrategicMerge(document, decoded.value, structure);
      for (const name of ['kind', 'apiVersion'])
        if (!isTextOrNone(merged[name])) throw badPatch(`${name} must be text`);
      return { ...merged, kind, apiVersion };
    };
    return { change, faults: decoded.duplicates, wrapsNumbers: true };
  }
  const changeBy = type === 'application/json-patch+json' ? jsonChange : mergeChange;
  const odd = decoded.oddNumbers.size > 0;
  return {
    ...changeBy(decoded, decoded.value),
    ...(odd && { trial: changeBy(decoded, withFractions(decoded)).change }),
  };
}

const mergeChange = ({ duplicates }: Decoded, patch: Json): ReadPatch => ({
  // biome-ignore lint/correctness/useYield: it is done at a stretch.
  *change(document) {
    return applyMergePatch(document, patch);
  },
  faults: duplicates,
});

function jsonChange({ duplicates }: Decoded, patch: Json): ReadPatch {
  const { operations, faults } = wordingPatches(() => parseJsonPatch(patch));
  const told = duplicates.map((text) => text.replace('duplicate field', 'json patch duplicate field'));
  return { change: (document) => applyJsonPatch(document, operations), faults: [...told, ...faults] };
}

/** No integer has a fraction, while a number of any other sort may have one. What is compared stays. */
function withFractions({ value, oddNumbers }: Decoded): Json {
  const fraction = (item: Json) => (Number.isInteger(item) ? oddlyWritten : item);
  const copy = (part: Json): Json => {
    if (typeof part !== 'object' || part === null) return part;
    const odd = oddNumbers.get(part);
    if (Array.isArray(part))
      return part.map((item, position) => (odd?.has(String(position)) ? fraction(item) : copy(item)));
    if (part['op'] === 'test') return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, odd?.has(key) ? fraction(item) : copy(item)]),
    );
  };
  return copy(value);
}

/** A patch that makes nothing that can be stored. */
export const badPatch = (why: string) => invalid({ group: '', resource: '' }, '', [invalidValue('patch', '', why)]);
