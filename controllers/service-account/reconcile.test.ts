import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { silentLog } from '../runtime/log.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { namespaces, type Resource, type Secret, type ServiceAccount } from '../runtime/resources.ts';
import { serviceAccountLoops } from './reconcile.ts';
import { serviceAccountTokenLoops } from './reconcile-tokens.ts';

const metadata = { name: 'ns' };
const account: ServiceAccount = { metadata: { namespace: 'ns', name: 'robot', uid: 'u' } };

/** The accounts that are made for a namespace. */
async function madeFor(
  namespace: object | undefined,
  { there, trouble }: { there?: boolean; trouble?: ApiError } = {},
) {
  const made: ServiceAccount[] = [];
  const request = requestOf({
    key: 'ns',
    read: (resource: Resource) => ({ find: () => (resource === namespaces ? namespace : there ? account : undefined) }),
    write: () => ({
      async create(object: ServiceAccount) {
        if (trouble) throw trouble;
        made.push(object);
      },
    }),
  });
  await serviceAccountLoops[0]?.reconcile(request);
  return made;
}

const active = { metadata, status: { phase: 'Active' } };

test('a namespace gets the account that pods run as', async () => {
  expect(await madeFor(active)).toEqual([{ metadata: { namespace: 'ns', name: 'default' } }]);
});

test.each<[string, object | undefined, boolean]>([
  ['has gone', undefined, false],
  ['is not active yet', { metadata }, false],
  ['is about to go', { ...active, status: { phase: 'Terminating' } }, false],
  ['has just been deleted', { ...active, metadata: { ...metadata, deletionTimestamp: '2024-05-06T07:08:09Z' } }, false],
  ['has its account', active, true],
])('a namespace that %s gets none', async (_, namespace, there) => {
  expect(await madeFor(namespace, { there })).toEqual([]);
});

test.each([
  ['is there already', new ApiError(409, { reason: 'AlreadyExists' }, 'create'), false],
  ['goes with its namespace', new ApiError(404, { reason: 'NotFound' }, 'create'), false],
  ['the server fails to make', new ApiError(500, {}, 'create'), true],
])('an account that %s is tried again or not', async (_, trouble, again) => {
  const tried = madeFor(active, { trouble });
  await (again ? expect(tried).rejects.toBe(trouble) : expect(tried).resolves.toEqual([]));
});

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const serviceAccountPrivateKey = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const tokenSecret: Secret = {
  metadata: { namespace: 'ns', name: 's', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
  type: 'kubernetes.io/service-account-token',
};
const nobody = new ApiError(404, { reason: 'NotFound' }, 'get');

/** What becomes of a Secret, by an account as the cache and as the server has it. */
async function becomesOf(
  secret: Secret | undefined,
  cached: ServiceAccount | undefined,
  live: ServiceAccount | ApiError,
) {
  const done: string[] = [];
  const [loop] = serviceAccountTokenLoops({ serviceAccountPrivateKey, log: silentLog } as never, undefined);
  const request = requestOf({
    key: 'ns/s',
    read: ({ kind }: Resource) => ({ find: () => (kind === 'Secret' ? secret : cached) }),
    client: {
      async get() {
        done.push('asked');
        if (live instanceof ApiError) throw live;
        return live;
      },
    },
    write: () => ({ delete: async () => done.push('deleted'), replace: async () => done.push('filled') }),
  });
  await loop?.reconcile(request);
  return done;
}

const another: ServiceAccount = { metadata: { ...account.metadata, uid: 'another' } };
const { annotations, ...rest } = tokenSecret.metadata ?? {};
const bound: Secret = {
  ...tokenSecret,
  metadata: { ...rest, annotations: { ...annotations, 'kubernetes.io/service-account.uid': 'u' } },
};

test.each<[string, Secret | undefined, ServiceAccount | undefined, ServiceAccount | ApiError, string[]]>([
  ['that has gone is left alone', undefined, account, account, []],
  ['of another type is left alone', { ...tokenSecret, type: 'Opaque' }, account, account, []],
  ['of an account that is there is filled', tokenSecret, account, account, ['filled']],
  ['of an account that was not seen yet is filled', tokenSecret, undefined, account, ['asked', 'filled']],
  ['of an account that is gone goes', tokenSecret, undefined, nobody, ['asked', 'deleted']],
  ['of an account that another has followed goes', bound, another, another, ['asked', 'deleted']],
  ['of an account that was seen to be another is filled', bound, another, account, ['asked', 'filled']],
])('a token Secret %s', async (_, secret, cached, live, done) => {
  expect(await becomesOf(secret, cached, live)).toEqual(done);
});
