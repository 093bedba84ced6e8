import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';

/** What is told of a template: how long its pods have to end, which is the same in whatever is made from it. */
export const ofTemplate = (seconds: number): Json => ({
  template: { spec: { terminationGracePeriodSeconds: seconds } },
});

export const templateOf = ({ spec }: Json): number => spec.terminationGracePeriodSeconds;

/** A workload and what others make for it. */
export interface Workload {
  readonly name: string;
  readonly read: () => Promise<Json>;
  readonly change: (spec: Json) => Promise<Json>;
  /** Until its status is of its newest state, and fits. */
  readonly untilTold: (what: string, accept: (status: Json) => boolean) => Promise<Json>;
  /** Its objects of a kind that are not going, in order of their names. */
  readonly own: (objects: Collection) => Promise<readonly Json[]>;
  /** Its objects of a kind that are not going, once there are so many. */
  readonly untilOwn: (what: string, objects: Collection, count: number) => Promise<readonly Json[]>;
}

/** Makes a workload with these parts of its spec; what it makes carries the same label. */
export async function startWorkload(context: RuleContext, objects: Collection, spec: Json): Promise<Workload> {
  const { waitUntil, longPatience } = context;
  const made = await objects.create({ spec });
  const name = nameOf(made);
  const labelSelector = `app=${made.spec.template.metadata.labels.app}`;
  const isThere = ({ metadata }: Json): boolean => metadata.deletionTimestamp === undefined;
  const byName = (one: Json, other: Json): number => (nameOf(one) < nameOf(other) ? -1 : 1);
  const read = () => objects.read(name);
  const own = async (kind: Collection): Promise<readonly Json[]> =>
    (await kind.list({ labelSelector })).items.filter(isThere).sort(byName);
  const limit = { limit: longPatience };
  const isNewest = ({ metadata, status }: Json): boolean => status?.observedGeneration >= metadata.generation;
  return {
    name,
    read,
    change: (changes) => objects.merge(name, { spec: changes }),
    untilTold: (what, accept) => waitUntil(what, read, (seen) => isNewest(seen) && accept(seen.status), limit),
    own,
    untilOwn: (what, kind, count) =>
      waitUntil(
        what,
        () => own(kind),
        ({ length }) => length === count,
        limit,
      ),
  };
}
