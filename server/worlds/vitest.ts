import { beforeEach, test as plain, type TestAPI } from 'vitest';
import type { KubeObject } from '../../controllers/runtime/kube-object.ts';
import type { ServerOptions } from '../options/options.ts';
import { type RunningServer, startServer } from '../start.ts';
import { type Client, type World, Worlds } from './worlds.ts';

/** What a test may take out of its context; but for the server, only what it takes is made. */
export interface Fixtures {
  /** One for all tests of a worker, with the reference controllers beside it. Stopped at the end. */
  readonly server: RunningServer;
  /** Makes a world of one test: a namespace of its own. When the test fails, what happened in it is printed. */
  readonly world: World;
  /** A server of this test alone, with all that `server` has now. */
  readonly fork: RunningServer;
  readonly namespace: string;
  readonly client: Client;
  readonly apply: (yaml: string) => Promise<readonly KubeObject[]>;
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
}

interface Shared {
  readonly worlds: Worlds;
}

/** Milliseconds that a server has to start, on machines that do much else as well. */
const startLimit = 60_000;

/** A `test` whose server has these options: `const test = testWith({ controllers: [] })`. */
export function testWith(options: Partial<ServerOptions>): TestAPI<Fixtures & Shared> {
  const given = { controllers: ['*'], faults: true, ...options };
  // What a test takes comes out of its own time, which is short for a server. Tests that are not of this `test` have none.
  beforeEach<Partial<Fixtures>>(({ server: _ }) => {}, startLimit);
  return plain.extend<Fixtures & Shared>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
      async ({}, use) => {
        await using server = await startServer(given);
        await use(server);
      },
      { scope: 'worker' },
    ],
    worlds: [
      async ({ server }, use) => {
        const worlds = await Worlds.on(server);
        await use(worlds);
        worlds.close();
      },
      { scope: 'worker' },
    ],
    world: async ({ worlds, task }, use) => {
      const world = await worlds.enter(given.controllers.length > 0);
      await use(world);
      // Else the report, too, would meet them, and after it the next test.
      world.server.faults.clear();
      if (task.result?.state === 'fail') console.error(await world.report());
      await worlds.leave(world);
    },
    fork: async ({ server }, use) => {
      await using fork = await server.fork();
      await use(fork);
    },
    namespace: ({ world }, use) => use(world.namespace),
    client: ({ world }, use) => use(world.client),
    apply: ({ world }, use) => use(world.apply),
    kubectl: ({ world }, use) => use(world.kubectl),
  }) as unknown as TestAPI<Fixtures & Shared>;
}

/** vitest's own `test`, with a server, a namespace and what acts in it. */
export const test = testWith({});
export { expect } from 'vitest';
