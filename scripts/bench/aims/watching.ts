import type { Aim } from './aim.ts';
import { median } from './aim.ts';
import { Line } from './line.ts';
import { askAll, configMaps, creation, type MeasuredServer, update, withServer } from './measured-server.ts';

const changes = 1000;
const rounds = 5;
const writers = 8;

/** Microseconds of processor time that a write costs the server, until all watchers have read of it. */
async function costOfWrite(server: MeasuredServer, lines: readonly Line[], heard: () => Promise<void>) {
  const before = await server.cpuTime();
  await askAll(lines, changes, (n) => update('watched', String(n)));
  await heard();
  return ((await server.cpuTime()) - before) / changes;
}

/** The least of some, once connections that came and went are forgotten: their remains are collected in the first. */
async function steadyCostOfWrite(server: MeasuredServer, lines: readonly Line[]) {
  const costs: number[] = [];
  for (let time = 0; time < 4; time++) costs.push(await costOfWrite(server, lines, nothingToHear));
  return Math.min(...costs);
}

interface Watchers {
  /** Resolves once so many more events were heard in all. */
  hear(events: number): Promise<void>;
  close(): void;
}

/** Opens watches, and hears them all. */
async function watchers(server: MeasuredServer, count: number, path: (n: number) => string): Promise<Watchers> {
  const lines = await Line.many(server, count);
  let heard = 0;
  let expected = Number.POSITIVE_INFINITY;
  let done = () => {};
  for (const [n, line] of lines.entries()) {
    line.follow(`${path(n)}?watch=1&resourceVersion=0`, (chunk) => {
      for (let at = chunk.indexOf(event); at >= 0; at = chunk.indexOf(event, at + event.length)) heard++;
      if (heard >= expected) done();
    });
  }
  return {
    async hear(events: number): Promise<void> {
      expected = events;
      if (heard < expected) await new Promise<void>((resolve) => (done = resolve));
      heard = 0;
      expected = Number.POSITIVE_INFINITY;
    },
    close() {
      for (const line of lines) line.close();
    },
  };
}

const event = Buffer.from('{"type":');
const nothingToHear = async () => {};

async function prepared(server: MeasuredServer): Promise<Line[]> {
  const lines = await Line.many(server, writers);
  await lines[0]?.ask(creation('watched'));
  for (let round = 0; round < 3; round++) await costOfWrite(server, lines, nothingToHear);
  return lines;
}

interface Costs {
  readonly alone: readonly number[];
  readonly watched: readonly number[];
}

/** What a write costs alone and with watchers, by turns. */
async function compared(
  server: MeasuredServer,
  count: number,
  path: (n: number) => string,
  withThem: (lines: readonly Line[], all: Watchers) => Promise<number>,
): Promise<Costs> {
  const lines = await prepared(server);
  const alone: number[] = [];
  const watched: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await steadyCostOfWrite(server, lines));
    const all = await watchers(server, count, path);
    watched.push(await withThem(lines, all));
    all.close();
  }
  return { alone, watched };
}

const audience = 100;

export const fanOut: Aim = {
  name: `an event to one of ${audience} watchers`,
  unit: 'us of CPU',
  most: 2.5,
  measure: () =>
    withServer({}, async (server) => {
      const { alone, watched } = await compared(
        server,
        audience,
        () => configMaps(),
        async (lines, all) => {
          await all.hear(audience);
          return costOfWrite(server, lines, () => all.hear(audience * changes));
        },
      );
      const [without, withThem] = [median(alone), median(watched)];
      return {
        figure: (withThem - without) / audience,
        of: `a write ${without.toFixed(0)} us alone, ${withThem.toFixed(0)} us with them; ${writers} writers`,
      };
    }),
};

const others = 1000;

export const watchersElsewhere: Aim = {
  name: `a write beside ${others} watchers of other namespaces, to one without`,
  unit: '%',
  most: 103,
  measure: () =>
    withServer({}, async (server) => {
      const { alone, watched } = await compared(
        server,
        others,
        (n) => configMaps(`other-${n}`),
        (lines) => steadyCostOfWrite(server, lines),
      );
      const [without, withThem] = [Math.min(...alone), Math.min(...watched)];
      return {
        figure: (100 * withThem) / without,
        of: `${without.toFixed(0)} us of CPU alone, ${withThem.toFixed(0)} us beside them`,
      };
    }),
};
