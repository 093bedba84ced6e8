import type { Expect } from '../../assertions.ts';
import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';

/** What there is, what somebody else applies, and what there is then: one that is only there stays before what it came before. */
const orders: readonly (readonly [live: readonly string[], applied: readonly string[], merged: readonly string[]])[] = [
  [
    ['b', 'a'],
    ['c', 'a'],
    ['b', 'c', 'a'],
  ],
  [['c'], ['b', 'c'], ['b', 'c']],
  [['b'], ['a'], ['b', 'a']],
];

/** A list that is merged, by letters. */
interface Merged {
  readonly sent: (letters: readonly string[]) => Json;
  readonly told: (object: Json) => readonly string[];
}

const domain = 'example.com/';

/** A set, and a list with keys. */
export const mergedLists = {
  finalizers: {
    sent: (letters) => ({ metadata: { finalizers: letters.map((letter) => `${domain}${letter}`) } }),
    told: ({ metadata }) => metadata.finalizers.map((text: string) => text.slice(domain.length)),
  },
  ports: {
    sent: (letters) => ({ spec: { ports: letters.map((name) => ({ name, port: name.charCodeAt(0) })) } }),
    told: ({ spec }) => spec.ports.map(({ name }: Json) => name),
  },
} satisfies Readonly<Record<string, Merged>>;

/** What is applied keeps its order, and so does what is there beside it. Older servers had orders of their own. */
export async function keepsOrder(
  objects: Collection,
  { unique, version, expect }: Pick<RuleContext, 'unique' | 'version'> & { readonly expect: Expect },
  { sent, told }: Merged,
): Promise<void> {
  if (heldFrom({ from: 25 }, version)) return;
  for (const [live, applied, merged] of orders) {
    const name = unique();
    await objects.apply(name, sent(live), 'first');
    const object = await objects.apply(name, sent(applied), 'second');
    expect(told(object), `${applied} on ${live}`).toEqual(merged);
  }
}
