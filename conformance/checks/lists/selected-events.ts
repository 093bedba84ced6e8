import { heldFrom } from '../../holds-for.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, namesOf } from '../../verbs/states.ts';

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
  await selectsReferences(context);
  await followsChange(context, reports);
  await selectsSigns(context);
}

/** Reports of an object of this name. */
async function report({ kind, namespace, unique, expect }: RuleContext, involved: string, more: Json): Promise<string> {
  const involvedObject = { kind: 'Pod', namespace: await namespace(), name: involved };
  const source = { component: 'judge' };
  const body = { apiVersion: 'v1', kind: 'Event', metadata: { name: unique() }, involvedObject, source };
  const usual = { ...body, reason: 'Judged', message: 'judged', type: 'Normal', reportingComponent: '' };
  const answer = await kind(coreEvents).post(merged(usual, more));
  expect(answer.status, `an event: ${said(answer)}`).toBe(201);
  return body.metadata.name;
}

/** Each part of what an event is about selects, by the name that it has in each group. */
async function selectsReferences(context: RuleContext): Promise<void> {
  const { kind, events, unique, version, expect } = context;
  const involved = unique('front');
  const about = { kind: 'Thing', uid: 'u-1', apiVersion: 'example.com/v1', resourceVersion: '7', fieldPath: 'spec.a' };
  const mine = await report(context, involved, { involvedObject: about });
  const other = await report(context, involved, {});
  const groups = [
    ['involvedObject', kind(coreEvents)] as const,
    ...(heldFrom({ from: 21 }, version) ? [] : [['regarding', events] as const]),
  ];
  for (const [prefix, objects] of groups)
    for (const [part, value] of Object.entries(about))
      for (const [sign, name] of [
        ['=', mine],
        ['!=', other],
      ] as const) {
        const fieldSelector = `${prefix}.name=${involved},${prefix}.${part}${sign}${value}`;
        const answered = await objects.getAll({ fieldSelector });
        expect(answered.status, `${fieldSelector}: ${said(answered)}`).toBe(200);
        expect(namesOf(answered.body), fieldSelector).toEqual([name]);
      }
}

/** Words with signs in them that mean something in selectors, and how they are written there. */
const signs: Readonly<Record<string, string>> = {
  'a,b': 'a\\,b',
  'a=b': 'a\\=b',
  'a\\b': 'a\\\\b',
  'a,reason=b': 'a\\,reason\\=b',
  a: 'a',
};

/** With a backslash before it each sign stands for itself. */
async function selectsSigns(context: RuleContext): Promise<void> {
  const { kind, events, unique, version, expect } = context;
  const involved = unique('front');
  const fields = ['involvedObject.name', ...(heldFrom({ from: 21 }, version) ? [] : ['regarding.name'])];
  const names: string[] = [];
  for (const reason of Object.keys(signs)) names.push(await report(context, involved, { reason }));
  for (const [at, written] of Object.values(signs).entries()) {
    const [name, others] = [names[at], names.filter((_, other) => other !== at).sort()];
    const chosen = async (field: string, term: string): Promise<string[]> => {
      const fieldSelector = `${field}=${involved},${term}`;
      const objects = field.startsWith('regarding') ? events : kind(coreEvents);
      const answer = await objects.getAll({ fieldSelector });
      expect(answer.status, `${fieldSelector}: ${said(answer)}`).toBe(200);
      return namesOf(answer.body).sort();
    };
    for (const field of fields) {
      expect(await chosen(field, `reason=${written}`), `reason=${written} beside ${field}`).toEqual([name]);
      expect(await chosen(field, `reason!=${written}`), `reason!=${written} beside ${field}`).toEqual(others);
    }
    const fieldSelector = `reason=${written},involvedObject.name=${involved}`;
    const watch = await kind(coreEvents).watch({ fieldSelector });
    expect(nameOf((await watch.next(`what ${fieldSelector} selects`)).object), fieldSelector).toBe(name);
    watch.close();
  }
}

async function reported(context: RuleContext): Promise<Reports> {
  const { kind, unique, expect } = context;
  const events = kind(coreEvents);
  const involved = unique('front');
  const query = (term: string) => ({ fieldSelector: `involvedObject.name=${involved},${term}` });
  return {
    events,
    query,
    expectChosen: async (term, names) =>
      expect(namesOf(await events.list(query(term))).sort(), `events by ${term}`).toEqual([...names].sort()),
    part: await report(context, involved, {
      ...{ involvedObject: { fieldPath: 'spec.containers{main}' }, reportingComponent: 'example.com/reporter' },
    }),
    whole: await report(context, involved, {}),
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
