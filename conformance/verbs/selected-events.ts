import { heldFrom } from '../holds-for.ts';
import type { Collection } from './collection.ts';
import type { RuleContext } from './context.ts';
import { nameOf, namesOf } from './states.ts';

const coreEvents = { group: '', version: 'v1', resource: 'events', kind: 'Event', namespaced: true };

interface Reports {
  readonly events: Collection;
  /** Which events report of one object of this name, and meet another term. */
  readonly query: (term: string) => { readonly fieldSelector: string };
  readonly expectChosen: (term: string, names: readonly string[]) => Promise<void>;
  /** An event of the whole object, and one of a part of it. */
  readonly whole: string;
  readonly part: string;
}

/** Fields that may be empty, and that change later, select by what they are now: in lists and in watches. */
export async function selectsByFieldsOfEvents(context: RuleContext): Promise<void> {
  const reports = await reported(context);
  const { expectChosen, whole, part } = reports;
  await expectChosen('involvedObject.fieldPath=', [whole]);
  await expectChosen('involvedObject.fieldPath!=', [part]);
  await expectChosen('reason=Judged', [part, whole]);
  await expectChosen('type=Normal,source=judge', [part, whole]);
  await selectsReporters(context, reports);
  await followsChange(context, reports);
}

async function reported({ kind, namespace, unique, expect }: RuleContext): Promise<Reports> {
  const events = kind(coreEvents);
  const involved = unique('front');
  const report = async (fieldPath?: string): Promise<string> => {
    const involvedObject = { kind: 'Pod', namespace: await namespace(), name: involved, fieldPath };
    const parts = {
      involvedObject,
      reason: 'Judged',
      message: 'judged',
      type: 'Normal',
      source: { component: 'judge' },
    };
    const reportingComponent = fieldPath ? 'example.com/reporter' : '';
    const metadata = { name: unique() };
    const answer = await events.post({ apiVersion: 'v1', kind: 'Event', metadata, ...parts, reportingComponent });
    expect(answer.status, answer.body?.message ?? 'an event').toBe(201);
    return metadata.name;
  };
  const query = (term: string) => ({ fieldSelector: `involvedObject.name=${involved},${term}` });
  return {
    events,
    query,
    expectChosen: async (term, names) =>
      expect(namesOf(await events.list(query(term))).sort(), `events by ${term}`).toEqual([...names].sort()),
    part: await report('spec.containers{main}'),
    whole: await report(),
  };
}

/** Each of the two groups has names of its own for the fields. */
async function selectsReporters(
  { events, version, expect }: RuleContext,
  { expectChosen, query, whole, part }: Reports,
): Promise<void> {
  if (heldFrom({ from: 21 }, version)) return;
  await expectChosen('reportingComponent=example.com/reporter', [part]);
  await expectChosen('reportingComponent!=example.com/reporter', [whole]);
  const fieldSelector = query('reportingController=example.com/reporter,type=Normal').fieldSelector;
  const chosen = await events.list({ fieldSelector: fieldSelector.replace('involvedObject', 'regarding') });
  expect(namesOf(chosen), 'events of events.k8s.io by who reports them').toEqual([part]);
}

async function followsChange(
  { expect }: RuleContext,
  { events, query, expectChosen, whole, part }: Reports,
): Promise<void> {
  const watch = await events.watch(query('reason=Judged'));
  await watch.take(2);
  await events.merge(part, { reason: 'Changed' });
  const event = await watch.next('the event that is no longer chosen');
  expect([event.type, nameOf(event.object)], 'what is no longer chosen').toEqual(['DELETED', part]);
  await expectChosen('reason=Judged', [whole]);
  await expectChosen('reason=Changed', [part]);
}
