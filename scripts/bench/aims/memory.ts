import { setTimeout as sleep } from 'node:timers/promises';
import type { Aim } from './aim.ts';
import { Line } from './line.ts';
import { askAll, configMaps, fill, type MeasuredServer, withServer } from './measured-server.ts';

const objects = 50_000;
/** Milliseconds after which the past is forgotten. */
const etcdCompactionInterval = 4000;

async function bytesOfOne(server: MeasuredServer): Promise<number> {
  const line = await Line.open(server);
  const text = await line.ask({ method: 'GET', path: `${configMaps()}/cm-7` });
  line.close();
  return text.length;
}

export const memoryOfObjects: Aim = {
  name: 'what an object of 1 KB takes beyond its bytes',
  unit: 'bytes',
  most: 3 * 1024,
  measure: () =>
    withServer({}, async (server) => {
      const before = await server.memory();
      await fill(server, objects);
      const each = ((await server.memory()) - before) / objects;
      const bytes = await bytesOfOne(server);
      return { figure: each - bytes, of: `${each.toFixed(0)} for ${bytes} of JSON, ${objects} objects` };
    }),
};

/** Deletes them, and waits until their past is forgotten. */
async function empty(server: MeasuredServer, count: number): Promise<void> {
  const lines = await Line.many(server, 32);
  await askAll(lines, count, (n) => ({ method: 'DELETE', path: `${configMaps()}/cm-${n}` }));
  for (const line of lines) line.close();
  await sleep(2.5 * etcdCompactionInterval);
}

const MiB = 1024 * 1024;

export const memoryAfterwards: Aim = {
  name: `memory that is left of ${objects} objects once they are deleted and history is compacted`,
  unit: '%',
  most: 10,
  measure: () =>
    withServer({ etcdCompactionInterval }, async (server) => {
      // What a server that has worked keeps at hand is no more after more work.
      await fill(server, objects / 5);
      await empty(server, objects / 5);
      const before = await server.memory();
      await fill(server, objects);
      const full = await server.memory();
      await empty(server, objects);
      const after = await server.memory();
      const [a, b, c] = [before, full, after].map((bytes) => (bytes / MiB).toFixed(0));
      return { figure: (100 * (after - before)) / (full - before), of: `${a} MiB before, ${b} with them, ${c} after` };
    }),
};
