import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { OperationInput } from '../kinds/strategy.ts';
import { optionsFrom, parseFlags } from '../options/command-line.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { type Authorization, buildAuthorization } from './index.ts';
import { type AuthzOptions, authzFlags, checkAuthzOptions } from './options.ts';
import { asks, somebody } from './rbac.fixture.ts';

const defaults = optionsFrom(parseFlags(authzFlags, [])) as unknown as AuthzOptions;
let authorization: Authorization | undefined;
afterEach(() => authorization?.stop());

const start = async (...modes: string[]) => {
  authorization = await buildAuthorization({ ...defaults, authorizationMode: modes }, new MemoryStore(), {
    now: () => 0,
  });
  return authorization;
};
const bob = somebody('bob');
const decide = async (...modes: string[]) =>
  (await (await start(...modes)).authorizer.authorize(bob, asks('get', 'pods'))).decision;

it('decides by the modes in order', async () => {
  expect(await decide('AlwaysAllow')).toBe('allow');
  expect(await decide('AlwaysDeny')).toBe('no opinion');
  expect(await decide('AlwaysDeny', 'AlwaysAllow')).toBe('allow');
  expect(await decide('Node', 'RBAC')).toBe('no opinion');
});

it('lets masters pass every mode', async () => {
  const { authorizer } = await start('AlwaysDeny');
  expect(await authorizer.authorize(somebody('root', 'system:masters'), asks('get', 'pods'))).toMatchObject({
    decision: 'allow',
  });
});

it.each([
  [['RBAC'], false, 0],
  [['AlwaysAllow'], false, 1],
  [['AlwaysDeny'], false, 0],
  [['Node', 'RBAC'], true, 0],
])('lists the rules that %o know', async (modes, incomplete, resourceRules) => {
  const review = (await start(...modes)).reviews.selfsubjectrulesreviews;
  const body = { spec: { namespace: 'ns' } } as unknown as KubeObject;
  const answer = await review?.({ body, namespace: '', name: '', context: { user: bob } } as unknown as OperationInput);
  const object = answer && 'object' in answer ? answer.object : undefined;
  const status = object?.status as { resourceRules: []; incomplete: boolean };
  expect(status.incomplete).toBe(incomplete);
  expect(status.resourceRules).toHaveLength(resourceRules);
});

it('asks a webhook by its client configuration file, and has no opinion while that is down', async () => {
  const file = join(temporaryFolder(onTestFinished), 'kubeconfig');
  writeFileSync(
    file,
    JSON.stringify({
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x' } }],
      clusters: [{ name: 'x', cluster: { server: 'http://127.0.0.1:1/' } }],
    }),
  );
  const options = { ...defaults, authorizationMode: ['Webhook'], authorizationWebhookConfigFile: file };
  authorization = await buildAuthorization(options, new MemoryStore(), { now: () => 0 });
  expect(await authorization.authorizer.authorize(bob, asks('get', 'pods'))).toMatchObject({ decision: 'no opinion' });
});

it.each([
  ['no mode', { authorizationMode: [] }],
  ['a mode twice', { authorizationMode: ['RBAC', 'RBAC'] }],
  ['Webhook without its file', { authorizationMode: ['Webhook'] }],
  ['a file without Webhook', { authorizationWebhookConfigFile: 'x' }],
])('does not start with %s', (_, wrong) => {
  expect(checkAuthzOptions({ ...defaults, ...wrong })).toHaveLength(1);
});

it('starts with its defaults', () => {
  expect(checkAuthzOptions(defaults)).toEqual([]);
});
