import type { Json } from '../../verbs/client.ts';
import type { OracleKind } from '../oracle-kind.ts';
import { merged } from '../play/request.ts';
import type { Scenario } from '../play/scenario.ts';
import { objectOf, otherwiseOf } from '../samples/objects.ts';
import { heapsOf } from './heaps.ts';
import { dryBeside, KindStory, Story } from './story.ts';
import { isTourable, prepareFor } from './tours/tours.ts';

/** How many heaps of one sort are tried; what has no room in those is tried one by one. */
const mostHeaps = 12;

/** All by which objects of a kind may be otherwise, as much of it at once as goes together. */
function heaped(at: KindStory): void {
  const { states = [], odd = [], fresh = [], statuses = [] } = otherwiseOf(at.kind) ?? {};
  const first = at.create(objectOf(at.kind, 'a'));
  for (const heap of [...heapsOf(states), ...inTwoHands(odd)]) {
    tryNew(at, heap);
    at.put('a', { answerOf: first, merge: heap }, dryBeside);
  }
  for (const heap of inTwoHands(fresh)) tryNew(at, heap);
  for (const heap of inTwoHands(statuses)) at.patch('a', 'merge', heap, dryBeside, 'status');
  // The next kind may show the same objects.
  at.delete('a', { query: { gracePeriodSeconds: '0' } });
}

/** A new object, and what of it is left where it was refused: what is good in it shows only then. */
function tryNew(at: KindStory, heap: Json): void {
  const usual = objectOf(at.kind, 'b');
  const passedOf = at.create(merged(usual, heap), dryBeside);
  at.create(usual, { ...dryBeside, body: { passedOf, usual } });
}

/** What a server cannot read at all keeps it from telling of the rest: each of two hands has but some of that. */
const inTwoHands = (changes: readonly Json[]): readonly Json[] =>
  [0, 1].flatMap((hand) => heapsOf(changes.filter((_, at) => at % 2 === hand)).slice(0, mostHeaps / 2));

/** How many kinds are told of in one scenario. */
const kindsAtOnce = 8;

/** What is odd of every kind, told before the kinds' own tours come: of nothing as much is seen in as few answers. */
export function* heapScenarios(kinds: readonly OracleKind[]): Generator<Scenario> {
  const known = kinds.filter((kind) => isTourable(kind) && otherwiseOf(kind) !== undefined);
  for (let from = 0; from < known.length; from += kindsAtOnce) {
    const some = known.slice(from, from + kindsAtOnce);
    const story = new Story();
    for (const kind of some) heaped(new KindStory(story, kind));
    yield story.scenario(`much that is odd, ${from / kindsAtOnce + 1}`, 'fields', 2, prepareFor(some));
  }
}
