#!/usr/bin/env node
// `npm run bench-ingress`: how fast the ingress controller is, beside a bare undici proxy to the same backend, in one run.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';
import { type Child, child } from './child.ts';
import { compare, printRows } from './comparison.ts';
import { agent, type Request, type Side, send } from './load.ts';
import { cpuTimeOf } from './measured-process.ts';

const cases: readonly [name: string, count: number, request: Request][] = [
  ['get 1 kB', 10_000, { method: 'GET', path: '/api/1000' }],
  ['get 100 kB', 3_000, { method: 'GET', path: '/api/100000' }],
  ['get 1 MB', 300, { method: 'GET', path: '/api/1000000' }],
  ['post 1 kB', 10_000, { method: 'POST', path: '/api', body: 'x'.repeat(1_000), type: 'text/plain' }],
];

const sideOf = ({ process: running, url }: Child): Side => ({
  url,
  headers: { host: 'web-50.example.com' },
  cpuTime: () => cpuTimeOf(running),
});

/** Until the controller has read what it is to serve. */
async function routed(side: Side): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await send(side, { method: 'GET', path: '/1' }).catch(() => undefined);
    if (answer) return;
    await sleep(50);
  }
  throw new Error('the controller routes nothing');
}

const backend = await child('./ingress-backend.ts');
const bare = await child('./bare-proxy.ts', backend.url);
const controller = await child(
  './ingress-controller.ts',
  backend.url,
  String(await freePort()),
  String(await freePort()),
);
try {
  const [ours, theirs] = [sideOf(controller), sideOf(bare)];
  await routed(ours);
  for (const [name, count, request] of cases)
    await compare(name, count, 'perSecond', [ours, () => request], [theirs, () => request]);
} finally {
  for (const one of [controller, bare, backend]) one.process.kill();
  await agent.close();
}
printRows();
