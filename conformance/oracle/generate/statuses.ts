import type { Json } from '../../verbs/client.ts';
import { randomOf } from '../play/random.ts';
import type { Scenario } from '../play/scenario.ts';
import { objectOf, sampleOf } from '../samples/objects.ts';
import { asRow } from './forms.ts';
import type { KnownKind } from './schema.ts';
import { KindStory, Story } from './story.ts';
import { placedWithin, type Struct, structsOf, valuesOf } from './structs.ts';
import { prepareFor } from './tours/tours.ts';

const perScenario = 40;

/** In how many kinds a type is tried: conditions are of most of them. */
const mostKinds = 3;

/**
 * Every type that statuses are made of, with as much and as little in it as it may have, told by the door of the status as
 * rehearsals: what is seen of each is its row as well, which shows little else.
 */
export function* statusScenarios(known: readonly KnownKind[], seed: number): Generator<Scenario> {
  const tried = new Map<string, number>();
  const isFresh = ({ name }: Struct): boolean => {
    const times = tried.get(name) ?? 0;
    tried.set(name, times + 1);
    return times < mostKinds;
  };
  const queues = known.filter(hasDoor).map((one) => ({ one, told: toldOf(one, isFresh, seed) }));
  for (let round = 0; queues.some(({ told }) => told.length > round * perScenario); round++)
    for (const { one, told } of queues) {
      const some = told.slice(round * perScenario, (round + 1) * perScenario);
      if (some.length > 0) yield scenarioOf(one, some, round);
    }
}

const hasDoor = ({ kind, root }: KnownKind): boolean =>
  root?.properties?.status !== undefined &&
  sampleOf(kind) !== undefined &&
  kind.verbs.includes('create') &&
  kind.subresources.some(({ name, verbs }) => name === 'status' && verbs.includes('patch'));

/** Merge patches of the status, in an order in which no type waits for all values of another. */
function toldOf(known: KnownKind, isFresh: (struct: Struct) => boolean, seed: number): readonly Json[] {
  const { status = {} } = sampleOf(known.kind)?.status ?? {};
  const all = structsOf(known, 'status')
    .filter((struct) => struct.path.length === 1 || isFresh(struct))
    .flatMap((struct) => valuesOf(struct, known.schemas).map((value) => placedWithin({ status }, struct.path, value)));
  return randomOf(seed, `statuses of ${known.kind.kind} ${known.kind.version}`).shuffled(all);
}

function scenarioOf({ kind }: KnownKind, told: readonly Json[], round: number): Scenario {
  const at = new KindStory(new Story(), kind);
  at.create(objectOf(kind, 'a'));
  for (const json of told) at.patch('a', 'merge', json, { ...asRow, alongside: true }, 'status');
  return at.story.scenario(`statuses of ${at.label}, ${round + 1}`, 'fields', 2, prepareFor([kind]));
}
