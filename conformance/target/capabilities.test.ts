import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { explore, meetsIssuer } from './capabilities.ts';

let fake: FakeServer | undefined;

afterEach(() => fake?.stop());

const allowed = { permit: allOf('test') };

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse): boolean =>
    Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));

test('what can be seen from outside is found', async () => {
  fake = await startFakeServer(({ path }, response) => {
    if (path.endsWith('selfsubjectaccessreviews')) return json({ status: { allowed: false } }, 201)(response);
    if (path.endsWith('customresourcedefinitions')) return json({ kind: 'CustomResourceDefinitionList' })(response);
    if (path.endsWith('/nodes'))
      return json({ items: [{ status: { conditions: [{ type: 'Ready', status: 'True' }] } }] })(response);
    if (path === '/version') return json({ gitVersion: 'v1.25.9' })(response);
    return json({}, 404)(response);
  });
  const known = await explore({ url: fake.url }, { declared: ['clock'], ...allowed });
  expect([...known.capabilities].sort()).toEqual(['clock', 'crd', 'nodes', 'rights', 'second-user', 'webhooks']);
  expect(known.version).toBe('v1.25.9');
});

test('what is missing is not found', async () => {
  fake = await startFakeServer((_, response) => json({}, 404)(response));
  const known = await explore({ url: fake.url }, { declared: [], ...allowed });
  expect(known.capabilities).toEqual(['rights', 'webhooks']);
  expect(known.version).toBe('unknown');
});

test('what is there and does not work, or takes no notice, counts as there: rules judge it', async () => {
  fake = await startFakeServer(({ path }, response) => {
    if (path.endsWith('selfsubjectaccessreviews')) return json({ status: { allowed: true } }, 201)(response);
    if (path.endsWith('customresourcedefinitions')) return json({}, 500)(response);
    return json({ kind: 'NamespaceList' })(response);
  });
  const { capabilities } = await explore(
    { url: fake.url },
    {
      declared: [],
      permit: { ...allOf('test'), write: false },
    },
  );
  expect(capabilities).toEqual(expect.arrayContaining(['second-user', 'crd', 'protobuf', 'pods']));
});

test('who is acted as and is refused what everybody may ask is there: rules judge it', async () => {
  const refused = (kind: string) => ({ kind: 'Status', reason: 'Forbidden', message: 'forbidden', details: { kind } });
  for (const [kind, allowed, isThere] of [
    ['selfsubjectaccessreviews', true, true],
    ['selfsubjectaccessreviews', false, false],
    ['users', true, false],
  ] as const) {
    fake = await startFakeServer(({ path }, response) => {
      if (path.endsWith('/selfsubjectaccessreviews')) return json(refused(kind), 403)(response);
      if (path.endsWith('/subjectaccessreviews')) return json({ status: { allowed } }, 201)(response);
      return json({ kind: 'NamespaceList', items: [] })(response);
    });
    const known = await explore({ url: fake.url }, { declared: [], permit: { ...allOf('test'), write: false } });
    expect(known.capabilities.includes('second-user'), `${kind}, ${allowed}`).toBe(isThere);
    await fake.stop();
  }
});

test('who hangs up when asked for something counts as having it: rules judge it', async () => {
  fake = await startFakeServer(({ headers }, response) => {
    if (!String(headers.accept).includes('protobuf')) return json({ kind: 'NamespaceList', items: [] })(response);
    return Boolean(response.destroy());
  });
  const known = await explore({ url: fake.url }, { declared: [], permit: { ...allOf('test'), write: false } });
  expect(known.capabilities).toContain('protobuf');
  expect(known.absent).not.toHaveProperty('protobuf');
});

test('how something was seen to be missing is told', async () => {
  fake = await startFakeServer(({ headers }, response) =>
    json({ message: 'only JSON is served' }, String(headers.accept).includes('protobuf') ? 406 : 404)(response),
  );
  const { absent } = await explore({ url: fake.url }, { declared: [], ...allowed });
  expect(absent?.protobuf).toBe('a look at it was answered 406 only JSON is served');
});

test('a target that is late to find the issuer of the lab is given its time, and one that never does is not waited for long', async () => {
  let looks = 0;
  fake = await startFakeServer((_, response) => json({}, ++looks < 3 ? 401 : 200)(response));
  const lab = { idToken: () => 'an id token' };
  await meetsIssuer({ url: fake.url }, lab);
  expect(looks).toBe(3);
  looks = -100;
  await meetsIssuer({ url: fake.url }, lab, 500);
  expect(looks).toBe(-98);
});

test('what somebody with few rights could not look at is withheld, not missing', async () => {
  fake = await startFakeServer(({ path }, response) => {
    if (path.endsWith('selfsubjectaccessreviews')) return json({ status: { allowed: false } }, 201)(response);
    if (path.endsWith('customresourcedefinitions')) return json({ message: 'forbidden' }, 403)(response);
    if (path.endsWith('/pods')) return json({}, 404)(response);
    return json({ kind: 'NamespaceList', items: [] })(response);
  });
  const known = await explore({ url: fake.url }, { declared: [], permit: { ...allOf('test'), write: false } });
  expect(known).toMatchObject({ narrow: true, withheld: expect.arrayContaining(['crd', 'job-controller']) });
  expect(known.withheld, 'what is not there').not.toContain('pods');
});
