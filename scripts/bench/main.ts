#!/usr/bin/env node
// `npm run bench`: how fast the server is, each case beside a bare Node TLS server with the same bytes, in one run.
import { type Child, child } from './child.ts';
import { compare, printRows, type Rate, rounds, rows } from './comparison.ts';
import { agent, type Request, run, type Side, send } from './load.ts';
import { cpuTimeOf } from './measured-process.ts';

const objects = 5000;
const base = '/api/v1/namespaces/bench/configmaps';
const text = 'x'.repeat(700);

const configMap = (name: string, value: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench', shard: String(name.length % 3), number: name.split('-').at(-1) } },
    data: { value, text },
  });

const sideOf = ({ process: running, url, token = 'x' }: Child): Side => ({
  url,
  headers: { authorization: `Bearer ${token}` },
  cpuTime: () => cpuTimeOf(running),
});

async function keep(bare: Side, path: string, body: Buffer): Promise<void> {
  await send(bare, { method: 'POST', path: `/set${path}`, body: body.toString() });
}

async function main(): Promise<void> {
  const [reference, yardstick] = await Promise.all([child('./reference-server.ts'), child('./bare-server.ts')]);
  const server = sideOf(reference);
  const bare = sideOf(yardstick);
  try {
    await send(server, {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: JSON.stringify({ metadata: { name: 'bench' } }),
    });
    await writes(server, bare);
    await reads(server, bare);
    await fanOut(server, bare);
  } finally {
    reference.process.kill();
    yardstick.process.kill();
    await agent.close();
  }
  printRows();
  console.log(`memory at start: ${((reference.memory ?? 0) / 1024 / 1024).toFixed(0)} MiB`);
}

/** What the bare server is asked instead of a write: it gets the same bodies, and answers the bytes that the write is answered with. */
async function likewise(server: Side, bare: Side, request: (i: number, round: number) => Request) {
  const sample = request(0, 0);
  const rehearsed = `${sample.path}${sample.path.includes('?') ? '&' : '?'}dryRun=All`;
  await keep(bare, '/written', await send(server, { ...sample, path: rehearsed }));
  return (i: number): Request => ({ ...request(i, 0), method: 'POST', path: '/written' });
}

async function writes(server: Side, bare: Side): Promise<void> {
  const compareWrite = async (name: string, request: (i: number, round: number) => Request) =>
    compare(name, objects, 'perSecond', [server, request], [bare, await likewise(server, bare, request)]);
  const creating = (i: number, round: number): Request => ({
    method: 'POST',
    path: base,
    body: configMap(`cm-${round}-${i}`, '1'),
  });
  await compareWrite('create', creating);
  for (let round = 1; round < rounds; round++) {
    await run(server, objects, (i) => ({ method: 'DELETE', path: `${base}/cm-${round}-${i}` }));
  }
  const path = (i: number) => `${base}/cm-0-${i % objects}`;
  const replacing = (i: number, round: number): Request => ({
    method: 'PUT',
    path: path(i),
    body: configMap(`cm-0-${i}`, `update ${round} ${i}`),
  });
  await compareWrite('update', replacing);
  const applying = (i: number, round: number): Request => ({
    method: 'PATCH',
    path: `${path(i)}?fieldManager=bench&force=true`,
    type: 'application/apply-patch+yaml',
    body: configMap(`cm-0-${i}`, `apply ${round} ${i}`),
  });
  await compareWrite('apply', applying);
  const merging = (i: number, round: number): Request => ({
    method: 'PATCH',
    path: path(i),
    type: 'application/merge-patch+json',
    body: JSON.stringify({ data: { value: `patch ${round} ${i}` } }),
  });
  await compareWrite('merge patch', merging);
  const strict = (i: number, round: number): Request => {
    const { path: item, ...rest } = replacing(i, round + rounds);
    return { ...rest, path: `${item}?fieldValidation=Strict` };
  };
  const ignoring = (i: number, round: number): Request => {
    const { path: item, ...rest } = replacing(i, round + 2 * rounds);
    return { ...rest, path: `${item}?fieldValidation=Ignore` };
  };
  await compareWrite('update, Strict', strict);
  await compareWrite('update, Ignore', ignoring);
}

async function reads(server: Side, bare: Side): Promise<void> {
  const cases: readonly [name: string, path: string, count: number, by: Rate][] = [
    ['get', `${base}/cm-0-7`, 10_000, 'perSecond'],
    ['list of 5,000', base, 40, 'bytesPerSecond'],
    ['page of 500', `${base}?limit=500`, 300, 'bytesPerSecond'],
    ['list by label', `${base}?labelSelector=number%20in%20(7,77,777)`, 300, 'perSecond'],
  ];
  for (const [name, path, count, by] of cases) {
    const request: Request = { method: 'GET', path };
    await keep(bare, path, await send(server, request));
    await compare(name, count, by, [server, () => request], [bare, () => request]);
  }
}

const watchers = 100;
const changes = 500;

/** Time until the last of 100 watchers has read every one of 500 changes. */
async function fanOut(server: Side, bare: Side): Promise<void> {
  const line = Buffer.concat([
    Buffer.from('{"type":"MODIFIED","object":'),
    await send(server, { method: 'GET', path: `${base}/cm-0-1` }),
    Buffer.from('}\n'),
  ]).toString();
  const change = (i: number): Request => ({
    method: 'PUT',
    path: `${base}/cm-0-1`,
    body: configMap('cm-0-1', `watched ${i}`),
  });
  const list = JSON.parse((await send(server, { method: 'GET', path: `${base}?limit=1` })).toString());
  const mine = await watched(server, `${base}?watch=1&resourceVersion=${list.metadata.resourceVersion}`, change);
  const theirs = await watched(bare, '/watch', () => ({ method: 'POST', path: '/event', body: line }));
  rows.push({ name: `fan-out to ${watchers} watchers`, server: mine, bare: theirs, unit: 'events/s' });
}

async function watched(side: Side, path: string, change: (i: number) => Request): Promise<number> {
  const { Agent } = await import('undici');
  const own = new Agent({
    connections: watchers,
    pipelining: 1,
    allowH2: false,
    connect: { rejectUnauthorized: false },
  });
  let seen = 0;
  let done = () => {};
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const bodies = await Promise.all(
    Array.from(
      { length: watchers },
      async () => (await own.request({ origin: side.url, path, method: 'GET', headers: side.headers })).body,
    ),
  );
  for (const body of bodies) {
    body.on('error', () => {});
    body.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) seen++;
      if (seen >= watchers * changes) done();
    });
  }
  const start = performance.now();
  for (let i = 0; i < changes; i++) await send(side, change(i));
  await all;
  const seconds = (performance.now() - start) / 1000;
  await own.destroy();
  return (watchers * changes) / seconds;
}

await main();
