import { setTimeout as pause } from 'node:timers/promises';
import { type Allowed, allowedOf, areHooksHeard, isChosen, isOurs } from './choice.ts';
import type { Pair } from './compare/duel.ts';
import { runsControllers } from './left.ts';
import { kindsOf, type OracleKind, sharedKinds } from './oracle-kind.ts';
import type { Scenario } from './play/scenario.ts';
import type { Side } from './play/side.ts';
import { definitionsOf } from './samples/custom-samples.ts';

/** What the two servers have in common, and what of it is compared. */
export interface CommonGround {
  /** The kinds of either. */
  readonly all: readonly OracleKind[];
  /** Those that both have; of other runs none. */
  readonly shared: readonly OracleKind[];
  /** Those of `shared` that the work is about. */
  readonly chosen: readonly OracleKind[];
  /** Those of the server that is compared with; of other runs none. */
  readonly others: readonly OracleKind[];
  readonly hasControllers: boolean;
  /** Whether webhooks are heard. */
  readonly hooked: boolean;
  /** Scenarios that somebody brings, those that are played and why others are not. */
  readonly brought: ReturnType<typeof allowedOf> | undefined;
}

interface GroundOptions extends Allowed {
  /** Played instead of generated work. */
  readonly scenarios?: readonly Scenario[];
}

/** Defines the custom kinds on both and looks at what they serve. */
export async function commonGround(
  options: GroundOptions,
  { judged, other }: Pair,
  run: string,
): Promise<CommonGround> {
  await Promise.all([judged, other].map((side) => define(side, run)));
  const [kinds, otherKinds] = await Promise.all([kindsOf(judged.client.send), kindsOf(other.client.send)]);
  const all = [...kinds, ...otherKinds];
  const shared = sharedKinds(kinds, otherKinds).filter((kind) => isOurs(kind, run));
  const hasControllers = await runsControllers(judged);
  const hooked = areHooksHeard(options);
  return {
    all,
    shared,
    chosen: shared.filter((kind) => isChosen(kind, options, hasControllers)),
    others: otherKinds.filter((kind) => isOurs(kind, run)),
    hasControllers,
    hooked,
    brought: options.scenarios && allowedOf(options.scenarios, { ...options, kinds: all, hooked }),
  };
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const servingLimit = 20_000;

/** Defines the custom kinds and waits until they are served. A server without custom kinds is compared without. */
async function define({ client, run: label }: Side, run: string): Promise<void> {
  const all = definitionsOf({ run, label });
  const answers = await Promise.all(all.map((body) => client.send('POST', definitions, { body })));
  if (answers.some(({ status }) => status !== 201 && status !== 409)) return;
  const until = performance.now() + servingLimit;
  for (const { spec } of all)
    for (const { name } of spec.versions)
      while (
        performance.now() < until &&
        (await client.send('GET', `/apis/${spec.group}/${name}/${spec.names.plural}`)).status !== 200
      )
        await pause(50);
}
