import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runRules } from './conformance/own-rules.ts';
import { systemClock } from './controllers/runtime/clock.ts';
import { makeController } from './controllers/runtime/make-controller.ts';
import { configMaps } from './controllers/runtime/resources.ts';
import { startControllers } from './controllers/start.ts';
import { startInTurn } from './controllers/turns.ts';
import { type RunningServer, startServer, UsageError } from './server/start.ts';
import { serve } from './webhooks/serve.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Given = (options: never) => unknown;

/** What a program gives that no compiler has seen. */
const said = async (call: Given, options: unknown) => (call as (options: unknown) => unknown)(options);

describe.each<readonly [string, Given, new (message: string) => Error]>([
  ['startServer', startServer, UsageError],
  ['fork', (changed) => server.fork(changed), UsageError],
  ['settle', (options) => server.settle(options), TypeError],
  ['startControllers', startControllers, TypeError],
  ['startInTurn', (options) => startInTurn(options, systemClock), TypeError],
  ['makeController', makeController, TypeError],
  ['serve', serve, TypeError],
  ['runRules', (options) => runRules([], options), TypeError],
])('%s', (_, call, error) => {
  test.each([
    [null, 'null'],
    ['x', 'a text'],
    [[], 'a list'],
    [7, 'a number'],
    [() => 1, 'a function'],
  ])('says what options are where they are %j', async (options, seen) => {
    const refused = said(call, options);
    await expect(refused).rejects.toBeInstanceOf(error);
    await expect(refused).rejects.toMatchObject({ message: `options are an object, not ${seen}` });
  });
});

const reconcile = async () => undefined;
const served = { policies: [], address: '127.0.0.1', port: 0, keyPair: { cert: '', key: '' }, report: reconcile };

test.each<readonly [string, Given, unknown, string]>([
  [
    'a loop that does nothing',
    makeController,
    { for: configMaps, reconciler: reconcile },
    'there is no option "reconciler" (did you mean reconcile?)',
  ],
  ['a loop of no kind', makeController, { reconcile }, 'the option for is missing: an object'],
  ['a loop of a kind by name', makeController, { for: 'configmaps', reconcile }, 'for is an object, not a text'],
  ['policies without a reporter', serve, { ...served, report: undefined }, 'the option report is missing: a function'],
  ['policies on a port in words', serve, { ...served, port: '8443' }, 'port is a number, not "8443"'],
  ['a wait in words', (options) => server.settle(options), { quiet: '1s' }, 'quiet is a number, not "1s"'],
  ['a snapshot into no file', (file) => server.saveSnapshot(file), undefined, 'the option file is missing: a text'],
  ['rules that are one', runRules, { id: 'a.b.c' }, 'rules are a list, each of defineRule'],
])('%s is told at once', async (_, call, options, message) => {
  await expect(said(call, options)).rejects.toMatchObject({ name: 'TypeError', message });
});
