import type { Json } from '../../verbs/client.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { serverHolding, storedIn } from '../webhooks/stored-before.ts';
import { unscheduled } from './node-play.ts';

/** A Job that another version has stored, on a server of its own with a controller of Jobs. */
export interface StoredJob {
  readonly name: string;
  readonly read: () => Promise<Json>;
  /** Waits until there are so many pods of it, and gives them. */
  readonly pods: (count: number) => Promise<readonly Json[]>;
  /** The server's verbs in the namespace of the Job. */
  readonly verbs: Verbs;
}

const controllers = '--controllers=job,serviceaccount';

/** @param specs what each Job has that no server of this version takes @throws Skipped as `serverHolding` */
export async function storedJobs(
  context: RuleContext,
  specs: readonly Json[],
  flags: readonly string[] = [],
): Promise<readonly StoredJob[]> {
  const valid = { spec: { suspend: true, template: { spec: unscheduled } } };
  const made = await Promise.all(specs.map(() => context.jobs.create(valid)));
  const stored = made.map((object, index) => ({
    at: context.jobs.at,
    object: { ...object, status: {}, spec: merged(object.spec, { suspend: false, ...specs[index] }) },
  }));
  const server = await serverHolding(context, stored, [controllers, ...flags]);
  const [jobs, pods] = [server.jobs.in(storedIn), server.pods.in(storedIn)];
  const verbs: Verbs = Object.assign(Object.create(server), { jobs, pods });
  return made.map(({ metadata: { name, uid } }) => ({
    name,
    verbs,
    read: () => jobs.read(name),
    pods: (count) => {
      const own = async (): Promise<readonly Json[]> =>
        (await pods.list()).items.filter(({ metadata }: Json) => metadata.ownerReferences?.[0]?.uid === uid);
      const limit = context.patience * 3;
      return server.waitUntil(`${name} has ${count} pods`, own, ({ length }) => length === count, { limit });
    },
  }));
}
