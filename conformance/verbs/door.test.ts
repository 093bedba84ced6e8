import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Skipped } from './breach.ts';
import type { Answer, OpenAnswer } from './client.ts';
import { asCleanUp, throughDoor } from './door.ts';
import { allOf } from './permit.ts';

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
  '/apis/discovery.k8s.io/v2',
  `${slices}s`,
  '/apis/apps/v1/deployments/one',
  '/apis/discovery.k8s.io/v1/others',
])('%s is judged', async (path) => {
  expect((await user(404).send('GET', path)).status).toBe(404);
});
