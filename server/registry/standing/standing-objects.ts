import type { Cancel, Timers } from '../../base/time/timers.ts';
import { WorkQueue } from '../../base/turns/work-queue.ts';
import { follow } from '../../store/follow.ts';
import type { Services } from '../call.ts';
import type { Resources } from '../resources.ts';
import { bootstrapObject } from './bootstrap.ts';

/** What a cluster never is without: whoever deletes one of these finds it again. */
const standing: readonly (readonly [path: string, ...names: string[]])[] = [
  ['/api/v1/namespaces', 'default', 'kube-node-lease', 'kube-public', 'kube-system'],
  ['/api/v1/services', 'kubernetes'],
  ['/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas', 'catch-all', 'exempt'],
  ['/apis/flowcontrol.apiserver.k8s.io/v1beta2/prioritylevelconfigurations', 'catch-all', 'exempt'],
];

export interface StandingSurroundings extends Pick<Services, 'store' | 'clock' | 'ids'> {
  readonly resources: Resources;
  readonly timers: Timers;
  report(error: unknown): void;
}

/** Stores a standing object again as soon as it is gone. @returns what ends it */
export async function keepStanding(surroundings: StandingSurroundings): Promise<Cancel> {
  const { store, resources, timers, report } = surroundings;
  const found = standing.flatMap(([path, ...names]) =>
    names.flatMap((name) => bootstrapObject(surroundings, resources, path, name) ?? []),
  );
  const known = new Map(found.map((object) => [object.key, object]));
  const prefixes = new Set(found.map(({ prefix }) => prefix));
  const queue = new WorkQueue(async (key) => known.get(key)?.store(), timers, report);
  const following = await Promise.all(
    [...prefixes].map((prefix) =>
      follow(store, prefix, {
        each: ({ key, current }) => {
          if (!current && known.has(key)) queue.add(key);
        },
      }),
    ),
  );
  return async () => {
    for (const each of following) each.stop();
    await queue.stop();
  };
}
