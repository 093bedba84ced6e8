import type { Answer, Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { otherForms } from '../lists/selecting-forms.ts';
import { byUpdate } from './creations.ts';
import { spoilt, spoiltBelow, spoiltInList } from './spoilt-bodies.ts';
import { operations } from './writes.ts';

/** The warnings of an answer, one each. */
export const warnings = (answer: Answer): readonly string[] =>
  answer.all('warning').flatMap((value) => value.split(/, (?=299 )/));

/** As RFC 7234 has it: within the text quotes and backslashes stand behind a backslash. */
export const warningForm = /^299 \S+ "(?:[^"\\]|\\.)*"(?: "[^"]*")?$/;

const dry = { dryRun: 'All' };
const tried = { fieldValidation: 'Strict', ...dry };

/** A field is unknown whatever it holds, and in whatever letters it is written. */
export async function warnsOfNothing(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const answer = await objects.post({ ...(await objects.draft()), shape: null, größe: 7 }, dry);
  expect(warnings(answer), 'of a field of nothing, and one beyond ASCII').toHaveLength(2);
}

/** A patch that says the same label twice. */
export async function refusesTwice(
  objects: Collection,
  expect: RuleContext['expect'],
  { name, sub, type }: { readonly name: string; readonly sub: string; readonly type: PatchType },
): Promise<void> {
  const { kind } = objects.at;
  const named = `"apiVersion":${JSON.stringify(apiVersionOf(objects.at))},"kind":"${kind}",`;
  const text = `{${type === 'apply' ? named : ''}"metadata":{"labels":{"twice":"1","twice":"2"}}}`;
  const send = (fieldValidation: string) =>
    objects.patch(name, text, { type, sub, query: { fieldValidation, fieldManager: 'somebody' } });
  expect([400, 422], `${type}, a label twice, Strict`).toContain((await send('Strict')).status);
  const warned = await send('Warn');
  expect(warned.status, `${type}: ${said(warned)}`).toBe(200);
  expect(warnings(warned), `${type}, a label twice, Warn`).toHaveLength(1);
}

/** What is made at a path of its own is looked at as closely as what is posted: of an apply, what it says twice. */
export async function refusesMade(objects: Collection, expect: RuleContext['expect'], kind: Subject): Promise<void> {
  const sent = await objects.draft();
  const name = nameOf(sent);
  const manager = { fieldManager: 'maker' };
  const apply = (query: Query) =>
    objects.patch(name, spoilt(sent, false), { type: 'apply', query: { ...manager, ...query } });
  const ways = {
    'an apply': apply,
    ...(byUpdate.fits(kind) && { 'an update': (query: Query) => objects.put(spoilt(sent), query, { name }) }),
  };
  for (const [what, make] of Object.entries(ways)) {
    expect([400, 422], `${what} that makes something, Strict`).toContain(
      (await make({ fieldValidation: 'Strict' })).status,
    );
    expect((await objects.get(name)).status, `what ${what} would make, Strict`).toBe(404);
    const warned = await make(dry);
    expect(warned.status, `${what} that makes something: ${said(warned)}`).toBe(201);
    expect(warnings(warned), `${what} that makes something, Warn`).not.toEqual([]);
  }
}

/** A new object with a field that stands twice in an object of a list. */
export async function refusesTwiceInList(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const text = spoiltInList(await objects.draft());
  expect((await objects.post(text, tried)).status, 'twice in an item of a list, Strict').toBe(400);
  const warned = await objects.post(text, { dryRun: 'All' });
  expect(warned.status, `twice in an item of a list, Warn: ${said(warned)}`).toBe(201);
  expect(warnings(warned), 'twice in an item of a list, Warn').toHaveLength(1);
}

/** Operations of a JSON patch with a member that there is not, and with one twice. */
export async function refusesMembers(
  objects: Collection,
  expect: RuleContext['expect'],
  { name, sub }: { readonly name: string; readonly sub: string },
): Promise<void> {
  const test = `"op":"test","path":"/metadata/name","value":${JSON.stringify(name)}`;
  const members = { shape: '"shape":"round"', path: '"path":"/kind"' };
  for (const [what, member] of Object.entries(members)) {
    const text = `[{${test}},{${member},${test}}]`;
    const send = (fieldValidation: string) =>
      objects.patch(name, text, { type: 'json', sub, query: { fieldValidation } });
    const refused = await send('Strict');
    expect([400, 422], `${what} of an operation, Strict`).toContain(refused.status);
    expect(refused.body?.message, `${what} of an operation`).toContain(what);
    for (const [value, count] of Object.entries({ Warn: 1, Ignore: 0 })) {
      const answer = await send(value);
      expect(answer.status, `${what} of an operation, ${value}: ${said(answer)}`).toBe(200);
      expect(warnings(answer), `${what} of an operation, ${value}`).toHaveLength(count);
    }
  }
}

/** Patches that bring an unknown field below the top. */
export async function refusesBelow(
  objects: Collection,
  expect: RuleContext['expect'],
  { name, kind, type }: { readonly name: string; readonly kind: Subject; readonly type: PatchType },
): Promise<void> {
  const object = await objects.read(name);
  for (const [place, spoil] of spoiltBelow(kind)) {
    const change = spoil({});
    const body = type === 'json' ? operations(object, change) : change;
    const refused = await objects.patch(name, body, { type, query: tried });
    expect([400, 422], `${place}, Strict`).toContain(refused.status);
    expect(refused.body?.message, `${place}, Strict`).toContain('shape');
  }
}

/** What is asked of a pod is read with as much care as the pod. */
export async function refusesOperations(pods: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  const asked = {
    eviction: { apiVersion: 'policy/v1', kind: 'Eviction' },
    binding: { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: 'touchstone-nowhere' } },
  };
  for (const [sub, body] of Object.entries(asked)) {
    const refused = await pods.postTo(name, sub, { ...body, metadata: { name }, shape: 'round' }, tried);
    expect(refused.status, sub).toBe(400);
    expect(refused.body?.message, sub).toContain('shape');
  }
}

/** Whoever says in which form an answer is to be is warned as well as who does not. */
export async function warnsInForms(context: RuleContext, objects: Collection, kind: Subject): Promise<void> {
  for (const accept of [...otherForms(context, kind), '*/*', 'text/html;q=0.9, application/json;q=0.5']) {
    const answer = await objects.post(spoilt(await objects.draft()), dry, { headers: { accept } });
    context.expect(answer.status, `to be answered as ${accept}`).toBe(201);
    context.expect(warnings(answer), `to be answered as ${accept}`).toHaveLength(3);
  }
}

export async function refusesTokens(accounts: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', shape: 'round' };
  const token = await accounts.postTo(name, 'token', request, { fieldValidation: 'Strict' });
  expect(token.status, 'what is asked of an object').toBe(400);
  expect(token.body?.message, 'what is asked of an object').toContain('shape');
}

export async function refusesScales(objects: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  const scale = await objects.get(name, '', { sub: 'scale' });
  const scaled = await objects.put({ ...scale.body, shape: 'round' }, { fieldValidation: 'Strict' }, { sub: 'scale' });
  expect(scaled.status, 'of a scale').toBe(400);
  expect(scaled.body?.message, 'of a scale').toContain('shape');
}
