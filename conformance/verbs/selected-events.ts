import type { RuleContext } from './context.ts';
import { nameOf, namesOf } from './states.ts';

const coreEvents = { group: '', version: 'v1', resource: 'events', kind: 'Event', namespaced: true };

/** Fields that may be empty, and that change later, select by what they are now: in lists and in watches. */
export async function selectsByFieldsOfEvents({ kind, namespace, unique, expect }: RuleContext): Promise<void> {
  const events = kind(coreEvents);
  const involved = unique('front');
  const report = async (fieldPath?: string): Promise<string> => {
    const involvedObject = { kind: 'Pod', namespace: await namespace(), name: involved, fieldPath };
    const parts = { involvedObject, reason: 'Judged', message: 'judged', type: 'Normal' };
    const metadata = { name: unique() };
    const answer = await events.post({ apiVersion: 'v1', kind: 'Event', metadata, ...parts });
    expect(answer.status, answer.body?.message ?? 'an event').toBe(201);
    return metadata.name;
  };
  const part = await report('spec.containers{main}');
  const whole = await report();
  const query = (term: string) => ({ fieldSelector: `involvedObject.name=${involved},${term}` });
  const expectChosen = async (term: string, names: readonly string[]): Promise<void> =>
    expect(namesOf(await events.list(query(term))).sort(), `events by ${term}`).toEqual([...names].sort());
  await expectChosen('involvedObject.fieldPath=', [whole]);
  await expectChosen('involvedObject.fieldPath!=', [part]);
  await expectChosen('reason=Judged', [part, whole]);
  const watch = await events.watch(query('reason=Judged'));
  await watch.take(2);
  await events.merge(part, { reason: 'Changed' });
  const event = await watch.next('the event that is no longer chosen');
  expect([event.type, nameOf(event.object)], 'what is no longer chosen').toEqual(['DELETED', part]);
  await expectChosen('reason=Judged', [whole]);
  await expectChosen('reason=Changed', [part]);
}
