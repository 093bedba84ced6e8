import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Skipped } from '../breach.ts';
import type { Answer, Client, OpenAnswer } from '../client.ts';
import { asCleanUp, throughDoor } from './door.ts';
import { allOf, isDryRun, type Permit } from './permit.ts';

const slices = '/apis/discovery.k8s.io/v1/endpointslices';

/** What is still to be read, and says so when it is given up, as the client's bodies do. */
const unread = () => new PassThrough({ destroy: (error, done) => done(error ?? new Error('given up')) });

const user = (status: number) =>
  throughDoor(
    {
      send: async () => ({ status }) as Answer,
      open: async () => ({ status, stream: unread() }) as unknown as OpenAnswer,
    },
    {
      permit: allOf('r1'),
      unserved: [slices],
      owns: () => true,
      made: () => undefined,
      stopped: new AbortController().signal,
    },
  );

it.each([
  slices,
  `${slices}/one?dryRun=All`,
  '/apis/discovery.k8s.io/v1/namespaces/a/endpointslices/one/status',
  '/apis/discovery.k8s.io/v1',
  '/apis/discovery.k8s.io',
  '/openapi/v3/apis/discovery.k8s.io/v1?hash=1',
])('%s is not judged where there are no such objects', async (path) => {
  await expect(user(404).send('GET', path)).rejects.toThrow(Skipped);
  await expect(user(404).send('GET', path)).rejects.toThrow(`the target does not serve ${slices}`);
  const { signal } = new AbortController();
  await expect(user(404).open(path, { signal })).rejects.toThrow(Skipped);
  expect((await user(400).send('GET', path)).status).toBe(400);
  expect((await asCleanUp(() => user(404).send('GET', path))).status).toBe(404);
});

it.each([
  '/',
  '/apis',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/apis/discovery.k8s.io/v2',
  `${slices}s`,
  '/apis/apps/v1/deployments/one',
  '/apis/discovery.k8s.io/v1/others',
])('%s is judged', async (path) => {
  expect((await user(404).send('GET', path)).status).toBe(404);
});

it('the core group is not judged where there is none, and the list of groups always is', async () => {
  const answered = { send: async () => ({ status: 404 }) as Answer } as unknown as Client;
  const parts = { permit: allOf('r1'), owns: () => true, made: () => undefined, stopped: new AbortController().signal };
  const { send } = throughDoor(answered, { ...parts, unserved: ['/api/v1/namespaces'] });
  for (const path of ['/api', '/api/v1', '/api/v1/namespaces'])
    await expect(send('GET', path)).rejects.toThrow(Skipped);
  for (const path of ['/apis', '/', '/version']) expect((await send('GET', path)).status).toBe(404);
});

describe('who may not do everything', () => {
  const message =
    'namespaces is forbidden: User "dev" cannot create resource "namespaces" in API group "" at the cluster scope';
  const refused = (parts: { readonly narrow?: boolean }, said = message) =>
    throughDoor({ send: async () => ({ status: 403, body: { message: said } }) as Answer } as unknown as Client, {
      ...{ permit: allOf('r1'), owns: () => true, made: () => undefined, stopped: new AbortController().signal },
      ...parts,
    });

  it.each([
    message,
    'forbidden: User "dev" cannot get path "/metrics"',
    'roles.rbac.authorization.k8s.io "a" is forbidden: user "dev" (groups=["a"]) is attempting to grant RBAC permissions not currently held',
  ])('%s: is not judged', async (said) => {
    await expect(refused({ narrow: true }, said).send('POST', '/api/v1/namespaces')).rejects.toThrow(Skipped);
  });

  it('has a watch that is refused not judged', async () => {
    const open = async () => ({ status: 403, stream: unread() }) as unknown as OpenAnswer;
    const door = throughDoor({ open } as unknown as Client, {
      ...{ permit: allOf('r1'), owns: () => true, made: () => undefined, stopped: new AbortController().signal },
      narrow: true,
    });
    const { signal } = new AbortController();
    await expect(door.open('/api/v1/pods', { signal })).rejects.toThrow(Skipped);
    expect((await door.open('/api/v1/pods', { signal, headers: { authorization: 'Bearer other' } })).status).toBe(403);
  });

  it('is judged by what is forbidden to everybody, to others, and to who may do everything', async () => {
    const quota = 'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0';
    const post = async (door: Client, options = {}) => (await door.send('POST', '/api/v1/namespaces', options)).status;
    expect(await post(refused({ narrow: true }, quota))).toBe(403);
    expect(await post(refused({ narrow: true }), { headers: { 'impersonate-user': 'jane' } })).toBe(403);
    expect(await post(refused({ narrow: true }), { credentials: false })).toBe(403);
    expect(await post(refused({}))).toBe(403);
  });
});

it('a review is sent without the label of the run, for it may have none', async () => {
  const sent: unknown[] = [];
  const send: Client['send'] = async (_method, _path, { body } = {}) => {
    sent.push(body);
    return { status: 201, body: {} } as Answer;
  };
  const parts = { permit: allOf('r1'), owns: () => true, made: () => undefined, stopped: new AbortController().signal };
  const body = { metadata: { name: 'a' } };
  await throughDoor({ send } as Client, parts).send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    body,
  });
  expect(sent).toEqual([body]);
});

describe('a delete of a selection, where others have objects', () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const query = { labelSelector: 'touchstone/mark=m' };
  const role = (name: string, labels?: object) => ({ metadata: { name, ...(labels && { labels }) } });
  const ours = role('ours', { 'touchstone/mark': 'm' });

  /** Sends it to a server of which a rehearsal says that it would take these. @returns what came to that server */
  async function sent(items: readonly unknown[], path: string, permit: Partial<Permit> = {}, queries = [query]) {
    const came: (boolean | undefined)[] = [];
    const send: Client['send'] = async (_method, _path, options = {}) => {
      came.push(isDryRun(options.query));
      return { status: 200, body: { items } } as Answer;
    };
    const door = throughDoor({ send } as Client, {
      permit: { ...allOf('r1'), disruptive: false, ...permit },
      owns: (namespace) => namespace === 'own',
      made: () => undefined,
      stopped: new AbortController().signal,
    });
    let refused: unknown;
    for (const query of queries) {
      await door.send('DELETE', path, { query }).catch((error: unknown) => {
        refused = error;
      });
    }
    return { came, refused };
  }

  it('is rehearsed, and done where it takes nothing else', async () => {
    expect(await sent([ours], roles)).toEqual({ came: [true, false], refused: undefined });
    expect(await sent([], '/api/v1/namespaces/default/secrets')).toEqual({ came: [true, false], refused: undefined });
  });

  it.each([role('theirs'), role('theirs', { app: 'a' })])('is not done where it would take %j', async (theirs) => {
    const { came, refused } = await sent([ours, theirs], roles);
    expect(came).toEqual([true]);
    expect(refused).toBeInstanceOf(Skipped);
    expect(String(refused)).toContain('theirs');
  });

  it('is not rehearsed again where the rule has tried it, or done it before', async () => {
    const [tried, other] = [{ ...query, dryRun: 'All' }, { labelSelector: 'touchstone/mark=n' }];
    expect((await sent([ours], roles, {}, [tried, query, query])).came).toEqual([true, false, false]);
    expect((await sent([ours], roles, {}, [tried, other])).came).toEqual([true, true, false]);
    expect((await sent([ours, role('theirs')], roles, {}, [tried, query])).came).toEqual([true, true]);
  });

  it('is done at once in a namespace of our own, and where that is allowed', async () => {
    const theirs = [role('theirs')];
    expect((await sent(theirs, '/api/v1/namespaces/own/secrets')).came).toEqual([false]);
    expect((await sent(theirs, roles, { disruptive: true })).came).toEqual([false]);
  });
});

describe('where no write gets through', () => {
  const gateway = (status: number, message: string) => {
    const client = { send: async () => ({ status, body: { message }, text: '' }) as Answer } as unknown as Client;
    const parts = { permit: allOf('r1'), owns: () => true, made: () => undefined };
    const refused = { status: 403, said: 'nobody writes here' };
    return throughDoor(client, { ...parts, refused, stopped: new AbortController().signal });
  };

  it('nothing is judged by how a write is refused', async () => {
    const sent = gateway(403, 'nobody writes here').send('POST', '/api/v1/namespaces', { body: {} });
    await expect(sent).rejects.toThrow('no write gets through to the target: 403 nobody writes here');
  });

  it('reads, other words and other refusals are judged', async () => {
    expect((await gateway(403, 'nobody writes here').send('GET', '/api/v1/namespaces')).status).toBe(403);
    expect((await gateway(403, 'another').send('POST', '/api/v1/namespaces', { body: {} })).status).toBe(403);
    expect((await gateway(422, 'nobody writes here').send('POST', '/api/v1/namespaces', { body: {} })).status).toBe(
      422,
    );
  });
});
