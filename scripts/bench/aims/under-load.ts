import { setTimeout } from 'node:timers/promises';
import type { Request } from '../load.ts';
import { type Aim, type Measurement, quantile } from './aim.ts';
import { Line } from './line.ts';
import { configMaps, creation, fill, keepAsking, type MeasuredServer, update, withServer } from './measured-server.ts';

const objects = 50_000;
const asked = 300;
/** Milliseconds between two requests whose time is taken, and before the first: until the load is no rush of beginners. */
const pauses = { between: 20, before: 2000 };

/** Milliseconds that each of some requests took under a load that goes on, one after the other. */
async function timesOf(server: MeasuredServer, make: (n: number) => Request): Promise<number[]> {
  const line = await Line.open(server);
  const times: number[] = [];
  await setTimeout(pauses.before);
  for (let n = 0; n < asked; n++) {
    const begun = performance.now();
    await line.ask(make(n));
    times.push(performance.now() - begun);
    await setTimeout(pauses.between);
  }
  line.close();
  return times;
}

const measurement = (times: readonly number[]): Measurement => ({
  figure: quantile(times, 0.99),
  of: `the middle ${quantile(times, 0.5).toFixed(1)}, the worst ${Math.max(...times).toFixed(1)}; ${times.length} asked`,
});

const nameOf = (n: number) => `cm-${(n * 7919) % objects}`;
const path = (n: number) => `${configMaps()}/${nameOf(n)}`;

/** One of what clients do all the time, by turns. */
const mixed: readonly ((n: number) => Request)[] = [
  (n) => ({ method: 'GET', path: path(n) }),
  (n) => update(nameOf(n), String(n)),
  (n) => ({ method: 'GET', path: path(n + 1) }),
  (n) => ({
    method: 'PATCH',
    path: path(n),
    type: 'application/merge-patch+json',
    body: JSON.stringify({ data: { value: `patched ${n}` } }),
  }),
  (n) => ({ method: 'GET', path: path(n + 2) }),
  (n) => creation(`more-${n}`),
  (n) => ({ method: 'GET', path: path(n + 3) }),
  () => ({ method: 'GET', path: `${configMaps()}?limit=50` }),
];

const inFlight = 500;

export const getUnderLoad: Aim = {
  name: `99 of 100 gets beside ${inFlight} requests of all sorts in flight, with ${objects} objects`,
  unit: 'ms',
  most: 20,
  measure: () =>
    withServer({}, async (server) => {
      await fill(server, objects);
      const stop = keepAsking(await Line.many(server, inFlight), (n) => (mixed[n % mixed.length] ?? creationOf)(n));
      const times = await timesOf(server, (n) => ({ method: 'GET', path: path(n) }));
      await stop();
      return measurement(times);
    }),
};

const creationOf = (n: number) => creation(`written-${n}`);
const writers = 1000;
const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

/** What must be answered in time while very many write. */
const besideWriters = (name: string, make: (n: number) => Request): Aim => ({
  name: `99 of 100 ${name} beside ${writers} connections that write`,
  unit: 'ms',
  most: 100,
  measure: () =>
    withServer({}, async (server) => {
      const line = await Line.open(server);
      await line.ask({ method: 'POST', path: lease, body: JSON.stringify({ metadata: { name: 'held' } }) });
      const stop = keepAsking(await Line.many(server, writers), creationOf);
      const times = await timesOf(server, make);
      await stop();
      return measurement(times);
    }),
});

export const livezUnderLoad = besideWriters('checks of /livez', () => ({ method: 'GET', path: '/livez' }));

export const leasesUnderLoad = besideWriters('updates of a lease', (n) => ({
  method: 'PATCH',
  path: `${lease}/held`,
  type: 'application/merge-patch+json',
  body: JSON.stringify({ spec: { leaseDurationSeconds: n + 1 } }),
}));
