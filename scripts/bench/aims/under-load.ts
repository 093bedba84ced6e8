import { child } from '../child.ts';
import type { Request } from '../load.ts';
import { type Aim, type Measurement, quantile } from './aim.ts';
import type { Asked, Errand } from './asker.ts';
import { Line } from './line.ts';
import { configMaps, creation, fill, keepAsking, type MeasuredServer, update, withServer } from './measured-server.ts';

const objects = 50_000;
/** Requests whose time is taken, and those before that are not counted: until the load is no rush of beginners. */
const asked = { counted: 300, before: 100 };
/** Milliseconds between two of them. */
const pause = 20;

/** Milliseconds that each of some requests took under a load that goes on, one after the other. */
async function timesOf({ url, headers }: MeasuredServer, make: (n: number) => Request): Promise<readonly number[]> {
  const requests = Array.from({ length: asked.before + asked.counted }, (_, n) => make(n));
  const errand: Errand = { place: { url, headers }, requests, pause };
  const { times } = await child<Asked>('./aims/asker.ts', JSON.stringify(errand));
  return times.slice(asked.before);
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
