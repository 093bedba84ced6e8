import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startFakeServer, type Whim } from '../../fake-server.fixture.ts';
import type { Json } from '../../verbs/client.ts';
import { openSide } from './open-side.ts';
import { play } from './play.ts';
import type { Step } from './scenario.ts';

/** A list of one object, after which others may have more that does not match. */
const listed =
  (pages: readonly Json[]): Whim =>
  ({ path, query }, response) => {
    if (!path.endsWith('/gauges')) return false;
    const metadata = pages[Number(query.get('continue') ?? 0)];
    const items = query.has('continue') ? [] : [{ metadata: { name: 'one' } }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'GaugeList', metadata: { resourceVersion: '1', ...metadata }, items }));
    return true;
  };

async function walkedOn(pages: readonly Json[]): Promise<string> {
  const server = await startFakeServer(listed(pages));
  const side = openSide({ url: server.url }, { run: 'r', stopped: new AbortController().signal });
  const step = { id: 's1', what: 'list', method: 'GET', path: '/apis/g/v1/gauges', query: { limit: '1' }, walk: true };
  try {
    const scenario = { name: 'pages', generator: 'sequences', namespaces: 0, steps: [step] };
    const { observations } = await play(side, scenario, 'tabc00001', { quiet: 0, mark: 0 });
    return observations.map(({ bytes }) => bytes.toString('utf8')).join();
  } finally {
    await side.close();
    await server.stop();
  }
}

it('pages that are followed to their end tell nothing of what others have behind them', async () => {
  const alone = await walkedOn([{ continue: '' }]);
  expect(alone).toContain('"one"');
  expect(await walkedOn([{ continue: '1', remainingItemCount: 3 }, { continue: '' }])).toBe(alone);
});

/** What is read of a server that answers as it likes, in how many requests, and what of it was kept. */
async function readOnce(whim: Whim, more: Partial<Step>): Promise<{ readonly asked: number; readonly text: string }> {
  const server = await startFakeServer(whim);
  const side = openSide({ url: server.url }, { run: 'r', stopped: new AbortController().signal });
  const step = { id: 's1', what: 'get', method: 'GET', path: '/apis/g/v1/gauges/a', ...more };
  try {
    const scenario = { name: 'one', generator: 'sequences', namespaces: 0, steps: [step] };
    const { observations } = await play(side, scenario, 'tabc00001', { quiet: 0, mark: 0 });
    return { asked: server.requests.length, text: observations.map(({ bytes }) => bytes.toString('utf8')).join() };
  } finally {
    await side.close();
    await server.stop();
  }
}

const late: Whim = (_, response) => {
  response.writeHead(504, { 'content-type': 'application/json' });
  response.end('{}');
  return true;
};

it('asks again at a version that was told of, which may come yet, and not at one that was made up', async () => {
  expect((await readOnce(late, { query: { resourceVersion: '<s0:metadata.resourceVersion>' } })).asked).toBe(4);
  expect((await readOnce(late, { query: { resourceVersion: '99999999999', labelSelector: 'app=<own>' } })).asked).toBe(
    1,
  );
});

it('reads again until a member has the value that it will have', async () => {
  let count = 0;
  const changing: Whim = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: { name: count++ < 2 ? 'old' : 'new' } }));
    return true;
  };
  const { text } = await readOnce(changing, { awaitsValue: { path: 'status.name', value: 'new' } });
  expect(text).toContain('"new"');
});

it('reads again until an object stays as it is, and one that was deleted is gone', async () => {
  const versions = (...all: readonly Json[]): Whim => {
    const left = [...all];
    return (_, response) => {
      const metadata = left.length > 1 ? left.shift() : left[0];
      response.writeHead(metadata ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ metadata }));
      return true;
    };
  };
  const [one, two] = [{ resourceVersion: '1' }, { resourceVersion: '2' }];
  expect(await readOnce(versions(one, two), { awaitsRest: {} })).toMatchObject({ asked: 3 });
  const ending = { ...two, deletionTimestamp: 'now', finalizers: ['own'] };
  const awaitsRest = { finalizer: 'own' };
  expect(await readOnce(versions(ending, ending, ending, undefined), { awaitsRest })).toMatchObject({ asked: 4 });
  expect(await readOnce(versions({ ...ending, finalizers: ['other'] }), { awaitsRest })).toMatchObject({ asked: 2 });
});

it('unpacks what came packed, and keeps what is only called so', async () => {
  const sending =
    (bytes: Buffer): Whim =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(bytes);
      return true;
    };
  expect((await readOnce(sending(gzipSync('small')), {})).text).toBe('small');
  expect((await readOnce(sending(Buffer.from('small')), {})).text).toBe('small');
});

it('reads a stream without an end mark until those that have one have come to it', async () => {
  const open: ServerResponse[] = [];
  const slow: Whim = ({ query }, response) => {
    if (!query.has('watch')) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    open.push(response);
    if (open.length === 2) setTimeout(() => open.forEach((one, at) => void one.write(at === 0 ? 'late' : 'end')), 60);
    return true;
  };
  const server = await startFakeServer(slow);
  const side = openSide({ url: server.url }, { run: 'r', stopped: new AbortController().signal });
  const watch = { what: 'watch', method: 'GET', path: '/apis/g/v1/gauges', query: { watch: '1' } };
  const steps = [
    { id: 's1', ...watch, watch: {} },
    { id: 's2', ...watch, watch: { until: 'end' } },
  ];
  try {
    const scenario = { name: 'streams', generator: 'sequences', namespaces: 0, steps };
    const { observations } = await play(side, scenario, 'tabc00001', { quiet: 10, mark: 2_000 });
    expect(observations.map(({ bytes }) => bytes.toString('utf8'))).toEqual(['late', 'end']);
  } finally {
    await side.close();
    await server.stop();
  }
});

it('waits for another second where a step is to be a later one', async () => {
  const server = await startFakeServer(() => false);
  const side = openSide({ url: server.url }, { run: 'r', stopped: new AbortController().signal });
  const step = { id: 's1', what: 'get', method: 'GET', path: '/apis/g/v1/gauges/a' };
  try {
    const steps = [step, { ...step, id: 's2', later: true }];
    const scenario = { name: 'two', generator: 'sequences', namespaces: 0, steps };
    const { observations } = await play(side, scenario, 'tabc00001', { quiet: 0, mark: 0 });
    const [first, second] = observations.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1000);
  } finally {
    await side.close();
    await server.stop();
  }
});
