import { expect, it } from 'vitest';
import type { Answer, Send } from '../verbs/client.ts';
import { unservedCore, unservedKinds } from './unserved.ts';

/** Answers with these where it is asked for what a version of a group has; with all that is wanted elsewhere. */
const answering =
  (answers: Readonly<Record<string, Pick<Answer, 'status' | 'body'> | Error>>): Send =>
  async (_, path) => {
    const given = answers[path] ?? { status: 200, body: { resources: everything } };
    if (given instanceof Error) throw given;
    return given as Answer;
  };

const names = async (send: Send): Promise<string[]> =>
  (await unservedKinds(send)).flatMap((path) => path.split('/').at(-1) ?? []);
const everything = (await names(async () => ({ status: 404 }) as Answer)).map((name) => ({ name }));
const slices = '/apis/discovery.k8s.io/v1';

it('is what a version lacks, or all of a version that is not there', async () => {
  const jobs = { status: 200, body: { resources: [{ name: 'jobs' }, { name: 'jobs/status' }] } };
  const send = answering({ [slices]: { status: 404, body: undefined }, '/apis/batch/v1': jobs });
  expect(await unservedKinds(send)).toEqual(['/apis/batch/v1/cronjobs', `${slices}/endpointslices`]);
  expect(await unservedKinds(answering({}))).toEqual([]);
});

it.each([
  ['an error', { status: 500, body: undefined }],
  ['no list', { status: 200, body: { kind: 'Status' } }],
  ['a list of nothing', { status: 200, body: { resources: [null] } }],
  ['no answer', new Error('closed')],
])('is nothing where there is %s: that is for rules to judge', async (_, answer) => {
  expect(await unservedKinds(answering({ [slices]: answer }))).toEqual([]);
});

it('is never of the core group', () => {
  expect(everything.map(({ name }) => name)).toEqual(expect.arrayContaining(['deployments', 'endpointslices']));
  expect(everything.map(({ name }) => name)).not.toContain('secrets');
});

const missing = { status: 404, body: undefined };
const namespaces = '/api/v1/namespaces?limit=1';
const groups = { status: 200, body: { kind: 'APIGroupList', groups: [{ name: 'widgets.example' }] } };

it('is all of the core group where a server has other groups alone', async () => {
  const found = await unservedCore(answering({ '/api/v1': missing, [namespaces]: missing, '/apis': groups }));
  expect(found).toEqual(expect.arrayContaining(['/api/v1/namespaces', '/api/v1/secrets']));
  expect(found.every((path) => path.startsWith('/api/v1/'))).toBe(true);
});

it.each([
  ['tells of it', { [namespaces]: missing, '/apis': groups }],
  ['has it without telling', { '/api/v1': missing, '/apis': groups }],
  ['has no group at all', { '/api/v1': missing, [namespaces]: missing, '/apis': missing }],
  ['tells of no group', { '/api/v1': missing, [namespaces]: missing, '/apis': { status: 200, body: { groups: [] } } }],
  ['breaks', { '/api/v1': { status: 500, body: undefined }, [namespaces]: missing, '/apis': groups }],
])('is nothing of the core group where a server %s: that is for rules to judge', async (_, answers) => {
  expect(await unservedCore(answering(answers))).toEqual([]);
});
