import { rootsAreJson } from '../../checks/requests/root-answers.ts';
import { takesNulls } from '../../checks/requests/said-nulls.ts';
import { unversioned } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import {
  answerHeader,
  answerStatus,
  changeText,
  removeIn,
  replaceIn,
  requestHeader,
} from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { isBuiltIn, pathOf, servedResources, servedVersions } from '../../verbs/discovery.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { mergePatchHeaders } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, marking, type Subject } from '../../verbs/subjects.ts';

/** Fields of 64 bits: a number of JSON may be larger than what doubles tell apart. */
const wide: Readonly<Record<string, (value: number) => Json>> = {
  deployments: (value) => ({ spec: { template: { spec: { terminationGracePeriodSeconds: value } } } }),
};

/** With space wherever JSON may have some. */
const spaced = (body: Json): string => `\r\n\t ${JSON.stringify(body, null, 2)} \n\n`;

/** Every digit of a whole number counts, whatever it is sent by. */
async function keepsDigits(
  objects: Collection,
  parts: (value: number) => Json,
  { expect }: RuleContext,
): Promise<void> {
  const [mark, large, larger] = [70_707_070, '9007199254740993', '9223372036854775807'];
  const withDigits = (body: Json, digits: string): string => spaced(body).replace(String(mark), digits);
  const created = await objects.post(withDigits(await objects.draft(parts(mark)), large));
  expect(created.status, `${large}: ${said(created)}`).toBe(201);
  const name = nameOf(created.body);
  const told = {
    'a create': created,
    'a get': await objects.get(name),
    'a list': await objects.viewed('labels').getAll(),
  };
  for (const [what, { text }] of Object.entries(told)) expect(text, what).toContain(`:${large}`);
  const patched = await objects.patch(name, withDigits(parts(mark), larger));
  expect(patched.text, 'a patch').toContain(`:${larger}`);
  expect((await objects.get(name)).text, 'after a patch').toContain(`:${larger}`);
}

/** Keys that the objects of some languages have by themselves, and such as differ in a capital alone. */
const oddKeys = ['A', '__proto__', 'a', 'constructor', 'toString'];

const keysOf = (object: Json): string[] => Object.keys(object?.data ?? {}).sort();

/** Every key of a map counts, whatever it is called, and goes when it is taken away. */
async function keepsKeys(objects: Collection, { expect }: RuleContext): Promise<void> {
  const data = (value: Json): string =>
    `{"data":{${oddKeys.map((key) => `"${key}":${JSON.stringify(value)}`).join(',')}}}`;
  const draft = JSON.stringify(await objects.draft({ data: undefined }));
  const created = await objects.post(`${draft.slice(0, -1)},${data('kept').slice(1)}`);
  expect(created.status, `odd keys: ${said(created)}`).toBe(201);
  expect(keysOf(created.body), 'a create').toEqual(oddKeys);
  const name = nameOf(created.body);
  expect(keysOf(await objects.read(name)), 'a get').toEqual(oddKeys);
  for (const type of ['merge', 'strategic'] as const) {
    expect(keysOf((await objects.patch(name, data(null), { type })).body), `a ${type} patch`).toEqual([]);
    expect(keysOf((await objects.patch(name, data('new'), { type })).body), `a ${type} patch`).toEqual(oddKeys);
  }
}

/** Who writes need not know how much that will be. */
async function writesInChunks(objects: Collection, { send, expect }: RuleContext): Promise<string> {
  const created = await objects.post(await objects.draft(marking('in chunks')), '', { inChunks: true });
  expect(created.status, `in chunks: ${said(created)}`).toBe(201);
  const name = nameOf(created.body);
  const parts = { headers: mergePatchHeaders, body: marking('again in chunks'), inChunks: true };
  const patched = await send('PATCH', await objects.path(name), parts);
  expect(patched.status, `a patch in chunks: ${said(patched)}`).toBe(200);
  expect(patched.body, 'a patch in chunks').toMatchObject(marking('again in chunks'));
  return name;
}

/** JSON is YAML, too. */
const inYaml = { headers: { 'content-type': 'application/yaml' } };

/** What some stores and some writers of JSON cannot do with. */
const oddText = 'null \0, escape \u001b, line \u2028, clef \u{1d11e}, <&> " \\ /';

const typed = (value: string) => ({ headers: { 'content-type': value } });

/** An object is made and replaced by JSON that is told by this type, or by none. */
async function writesAs(
  value: string,
  objects: Collection,
  kind: Subject,
  expect: RuleContext['expect'],
): Promise<void> {
  const what = value || 'no type';
  const over = merged(kind.edges, {
    metadata: { annotations: { 'example.com/empty': '', 'example.com/odd': oddText } },
  });
  const draft = await objects.draft(over);
  // What is sent as text has no label of the run: it has to go with its namespace.
  const isSpaced = value !== '' && objects.at.namespaced;
  const answer = await objects.post(isSpaced ? spaced(draft) : draft, '', typed(value));
  expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
  expect(answer.body, what).toMatchObject(over);
  const stored = await objects.read(nameOf(answer.body));
  expect(stored, what).toMatchObject(over);
  const put = await objects.put(unversioned(kind, stored), '', typed(value));
  expect(put.status, `update, ${what}`).toBe(200);
  expect(put.body, `update, ${what}`).toMatchObject(over);
}

/** A patch may tell its characters beside its type, and has to tell a type. */
async function patchesAs(name: string, objects: Collection, expect: RuleContext['expect']): Promise<void> {
  for (const value of ['application/merge-patch+json; charset=utf-8', 'application/merge-patch+json;charset=UTF-8']) {
    const answered = await objects.patch(name, marking(value), typed(value));
    expect(answered.status, `${value}: ${said(answered)}`).toBe(200);
    expect(answered.body, value).toMatchObject(marking(value));
  }
  const untyped = await objects.patch(name, marking('untyped'), typed(''));
  expect(untyped.status, 'a patch of no type').toBeGreaterThanOrEqual(400);
  expect(untyped.status, 'a patch of no type').toBeLessThan(500);
  expect(await objects.read(name), 'after a patch of no type').not.toMatchObject(marking('untyped'));
}

export default [
  // Who asks for no media type is answered in JSON.
  defineRule('content.json.default-response', {
    sabotage: [
      answerHeader('content-type', 'application/yaml', { method: 'GET' }),
      answerHeader('content-type', undefined, { method: 'POST', path: /\/secrets$/ }),
      requestHeader('accept', 'application/yaml', { header: { 'content-type': /yaml/ } }),
      answerHeader('content-type', 'text/plain', { path: /^\/version$/ }),
      answerHeader('content-type', 'text/plain', { path: /^\/apis$/ }),
      removeIn('platform', { path: /^\/version$/ }),
    ],
    matrix: { kind: generalKinds },
    async check(context, { kind }) {
      const { objects, expect } = context;
      if (kind.name === 'secrets') await rootsAreJson(context);
      const created = await objects.post(await objects.draft());
      const name = nameOf(created.body);
      const answers = {
        create: created,
        get: await objects.get(name),
        list: await objects.viewed('labels').getAll(),
        patch: await objects.patch(name, marking('new')),
        error: await objects.get('touchstone-missing'),
        any: await objects.get(name, '', { headers: { accept: '*/*' } }),
        'create in YAML': await objects.post(await objects.draft(), { dryRun: 'All' }, inYaml),
        delete: await objects.delete(name, { query: { propagationPolicy: 'Background' } }),
      };
      for (const [what, { headers, body }] of Object.entries(answers)) {
        expect(headers['content-type'], what).toMatch(/^application\/json/);
        expect(body, what).toBeTypeOf('object');
        expect(body.kind, what).toBeTypeOf('string');
      }
    },
  }),

  // Bodies in JSON are taken, and taken for granted.
  defineRule('content.json.requests', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(415, { method: 'POST', path: /\/secrets$/ }),
      answerStatus(400, { method: 'POST', body: /^\s/ }),
      answerStatus(415, { method: 'PUT', path: /\/jobs\/[^/]+$/ }),
      changeText('reads numbers as doubles', (text) => text.replace(/:9007199254740993\b/g, ':9007199254740992')),
      changeText('reads numbers as doubles', (text) => text.replace(/:9223372036854775807\b/g, ':9223372036854775808')),
      answerStatus(411, { method: 'POST', body: /in chunks/ }),
      answerStatus(400, { method: 'PATCH', body: /in chunks/ }),
      answerStatus(400, { method: 'POST', body: /"selfLink":null/ }),
      removeIn('rules.*.resourceNames.1', { path: /\/roles\/[^/]+$/ }),
      changeText('knows no null characters', (text) => text.replaceAll('\\u0000', '')),
      changeText('loses a key', (text) => text.replaceAll('"__proto__":', '"lost":')),
      removeIn('metadata.annotations', { method: 'PUT', header: { 'content-type': /charset/ } }),
      answerStatus(415, { method: 'PATCH', header: { 'content-type': /charset/ } }),
      requestHeader('content-type', 'application/merge-patch+json', {
        method: 'PATCH',
        header: { 'content-type': /^$/ },
      }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      for (const value of ['application/json', 'application/json; charset=utf-8', ''])
        await writesAs(value, objects, kind, expect);
      await patchesAs(await writesInChunks(objects, context), objects, expect);
      if (objects.at.namespaced) {
        const { status } = await objects.post(`${JSON.stringify(await objects.draft())} {}`);
        expect(status, 'more behind an object').toBe(400);
      }
      await takesNulls(objects, kind, expect);
      const parts = wide[kind.name];
      if (parts) await keepsDigits(objects, parts, context);
      if (kind.name === 'configmaps') await keepsKeys(objects, context);
    },
  }),

  // JSON serves for every built-in kind.
  defineRule('content.json.all-kinds', {
    sabotage: [
      answerStatus(406, { method: 'GET', path: /\/runtimeclasses$/ }),
      answerHeader('content-type', 'application/yaml', { method: 'GET', path: /\/networkpolicies$/ }),
      replaceIn('kind', { method: 'GET', path: /\/csinodes$/, with: 'Status' }),
    ],
    async check({ send, expect }) {
      const headers = { accept: 'application/json' };
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions.length, 'served versions').toBeGreaterThan(1);
      for (const groupVersion of versions) {
        const resources = await servedResources(send, groupVersion);
        for (const { name } of resources.filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))) {
          const answer = await send('GET', `${pathOf(groupVersion)}/${name}`, { headers, query: { limit: 1 } });
          expect(answer.status, `${name} of ${groupVersion}`).toBe(200);
          expect(answer.headers['content-type']).toMatch(/^application\/json/);
          expect(answer.body.kind, `${name} of ${groupVersion}`).toMatch(/List$/);
        }
      }
    },
  }),
];
