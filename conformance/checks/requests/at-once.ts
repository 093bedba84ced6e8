import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { marking, type Subject } from '../../verbs/subjects.ts';

/** Of those who make an object of one name at a time one does, and what he made is there. */
export async function oneMakesIt(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const body = await objects.draft();
  const answers = await Promise.all(Array.from({ length: 4 }, () => objects.post(body)));
  expect(answers.map(({ status }) => status).sort(), 'several creates at a time').toEqual([201, 409, 409, 409]);
  const made = answers.find(({ status }) => status === 201);
  expect((await objects.read(nameOf(body))).metadata.uid, 'what is there').toBe(made?.body.metadata.uid);
}

/** Those who have names made up at a time each get an object of their own. */
export async function allMakeTheirs(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const body = await objects.draft({ metadata: { name: undefined, generateName: 'at-once-' } });
  const answers = await Promise.all(Array.from({ length: 12 }, () => objects.post(body)));
  for (const answer of answers) expect(answer.status, `several creates at a time: ${said(answer)}`).toBe(201);
  const own = { name: nameOf, uid: ({ metadata }: Json) => metadata.uid, version: versionOf };
  for (const [what, of] of Object.entries(own)) {
    const told = answers.map(({ body: made }) => of(made));
    expect(new Set(told).size, `the ${what} of each of several at a time: ${told.join(', ')}`).toBe(answers.length);
  }
}

type PatchBody = (key: string, at: Collection['at']) => Json;
const set = (key: string): Json => ({ metadata: { annotations: { [key]: 'set' } } });

/** How patches of each type set one annotation beside others. */
const settings: readonly (readonly [PatchType, PatchBody])[] = [
  ['merge', set],
  ['json', (key) => [{ op: 'add', path: `/metadata/annotations/${key.replace('/', '~1')}`, value: 'set' }]],
  ['apply', (key, at) => ({ apiVersion: apiVersionOf(at), kind: at.kind, ...set(key) })],
  ['strategic', set],
];

/** Of those who change an object at a time nobody undoes what another was told is done. */
export async function allChangesStay(
  objects: Collection,
  expect: RuleContext['expect'],
  { custom, busy, status }: Subject,
): Promise<void> {
  const name = nameOf(await objects.create(marking('first')));
  const types = settings.filter(([type]) => !(custom && type === 'strategic'));
  const first = status && !busy ? [writesStatus(objects, name, status(1))] : [];
  const changes = [...types, ...types].map(async ([type, body], index) => {
    const fieldManager = `example.com/at-once-${index}`;
    const over = set(fieldManager);
    const answer = await objects.patch(name, body(fieldManager, objects.at), { type, query: { fieldManager } });
    return { what: `a ${type} patch`, over, answer };
  });
  const done = await Promise.all([...first, ...changes]);
  const object = await objects.read(name);
  for (const { what, over, answer } of done) {
    // Who is always outrun may be told so in the end.
    expect([200, 409], `${what}, several at a time: ${said(answer)}`).toContain(answer.status);
    if (answer.status === 200) expect(object, `what ${what} has changed`).toMatchObject(over);
  }
}

const writesStatus = async (objects: Collection, name: string, over: Json) => {
  const answer = await objects.patch(name, over, { sub: 'status' });
  return { what: 'a patch of the status', over, answer };
};
