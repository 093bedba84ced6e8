import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { timeOf } from '../../verbs/moment.ts';
import { nameOf } from '../../verbs/states.ts';

const pods = { containers: [{ name: 'main', image: 'registry.example/pause:1' }], restartPolicy: 'Never' };
const described = { labels: { colour: 'red' }, annotations: { 'example.com/note': 'some' } };
/** Its Jobs wait, so that nobody makes pods of them and they last. */
const jobTemplate = { metadata: described, spec: { suspend: true, template: { spec: pods } } };
const day = 24 * 60 * 60 * 1000;

const daysAgo = (days: number): Date => new Date(Date.now() - days * day);
/** Once a year, and the last time on that day. */
const yearlyOn = (date: Date): string => `0 0 ${date.getUTCDate()} ${date.getUTCMonth() + 1} *`;

interface Overlap {
  readonly cronJobs: Collection;
  readonly name: string;
  readonly running: () => Promise<readonly string[]>;
  /** Makes a Job as somebody does who does not want to wait for its time, and gives its name. */
  readonly byHand: () => Promise<string>;
}

/** A CronJob that is suspended, and has missed one time. */
async function wait({ cronJobs, jobs }: RuleContext, concurrencyPolicy: string, more: Json = {}): Promise<Overlap> {
  const schedule = yearlyOn(daysAgo(90));
  const spec = { schedule, suspend: true, concurrencyPolicy, jobTemplate, ...more };
  const { metadata, apiVersion, kind } = await cronJobs.create({ spec });
  await cronJobs.merge(metadata.name, { status: { lastScheduleTime: timeOf(daysAgo(120).getTime()) } }, 'status');
  const isItsOwn = (one: Json): boolean => one.metadata.ownerReferences?.[0]?.uid === metadata.uid;
  const isThere = (one: Json): boolean => one.metadata.deletionTimestamp === undefined;
  const running = async (): Promise<readonly string[]> =>
    (await jobs.list()).items.filter((one: Json) => isItsOwn(one) && isThere(one)).map(nameOf);
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
  const byHand = async (): Promise<string> =>
    nameOf(await jobs.create({ metadata: { ownerReferences: [owner] }, spec: { suspend: true } }));
  return { cronJobs, name: metadata.name, running, byHand };
}

/** One that has missed one time, for which it begins a Job late. */
async function begin(context: RuleContext, concurrencyPolicy: string): Promise<Overlap> {
  const waiting = await wait(context, concurrencyPolicy);
  await context.cronJobs.merge(waiting.name, { spec: { suspend: false } });
  return waiting;
}

/** What runs of a CronJob that has missed another time since it began a Job, and that Job. */
async function overlap(
  context: RuleContext,
  policy: string,
): Promise<readonly [Overlap['running'], string | undefined]> {
  const { waitUntil, longPatience } = context;
  const limit = { limit: longPatience };
  const begun = await begin(context, policy);
  const [job] = await waitUntil(`a Job begins: ${policy}`, begun.running, ({ length }) => length === 1, limit);
  const active = async () => (await begun.cronJobs.read(begun.name)).status?.active ?? [];
  await waitUntil(`it is told of: ${policy}`, active, (told: Json) => told[0]?.name === job, limit);
  await missAnother(begun);
  return [begun.running, job];
}

/** Another time that it has missed, and something that makes others look at it now. */
async function missAnother({ cronJobs, name }: Overlap): Promise<void> {
  await cronJobs.merge(name, { spec: { schedule: yearlyOn(daysAgo(60)) } });
  await cronJobs.merge(name, { metadata: { annotations: { 'example.com/looked': 'yes' } } });
}

/** A Job is as the CronJob describes it, which says when it began the last one; one that is suspended begins none, nor late. */
export async function beginsAsSaid(context: RuleContext): Promise<void> {
  const { jobs, cronJobs, waitUntil, longPatience, expect } = context;
  const limit = { limit: longPatience };
  const suspended = await wait(context, 'Allow');
  const late = await wait(context, 'Allow', { startingDeadlineSeconds: 3600 });
  await cronJobs.merge(late.name, { spec: { suspend: false } });
  const begun = await begin(context, 'Allow');
  const [job] = await waitUntil('a Job begins', begun.running, ({ length }) => length === 1, limit);
  const { labels, annotations } = (await jobs.read(job ?? '')).metadata;
  expect({ labels, annotations }, 'what is said of it').toMatchObject(described);
  const last = async (): Promise<string> => (await cronJobs.read(begun.name)).status?.lastScheduleTime ?? '';
  // Days begin earlier or later where controllers do not go by UTC.
  const isAbout = (time: string): boolean => Math.abs(Date.parse(time) - daysAgo(90).getTime()) < 2 * day;
  await waitUntil('it is told when', last, isAbout, limit);
  expect(await suspended.running(), 'Jobs of one that is suspended').toEqual([]);
  expect(await late.running(), 'Jobs that would begin later than they may').toEqual([]);
}

/** Where a Job of a CronJob still runs, the next runs beside it, takes its place or does not begin, as the CronJob says. */
export async function overlapsAsSaid(context: RuleContext): Promise<void> {
  const { waitUntil, longPatience, expect } = context;
  const limit = { limit: longPatience };
  const [forbidden, only] = await overlap(context, 'Forbid');
  const [allowed] = await overlap(context, 'Allow');
  const [replaced, first] = await overlap(context, 'Replace');
  await waitUntil('one runs beside the other', allowed, (names) => names.length === 2, limit);
  const isAnother = (names: readonly string[]): boolean => names.length === 1 && names[0] !== first;
  await waitUntil('one takes the place of the other', replaced, isAnother, limit);
  expect(await forbidden(), 'while one runs, none begins').toEqual([only]);
}

/** What runs beside what may matters among the Jobs that a CronJob has begun: one that somebody made by hand is let be. */
export async function leavesOthers(context: RuleContext): Promise<void> {
  const { waitUntil, longPatience } = context;
  for (const policy of ['Forbid', 'Replace']) {
    const { cronJobs, name, running, byHand } = await wait(context, policy);
    const made = await byHand();
    await cronJobs.merge(name, { spec: { suspend: false } });
    const both = (names: readonly string[]): boolean => names.length === 2 && names.includes(made);
    await waitUntil(`one begins beside it: ${policy}`, running, both, { limit: longPatience });
  }
}
