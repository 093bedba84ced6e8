import type { ClientProcess } from '../client-process.ts';
import type { ClientContext } from '../context.ts';

/** A client that shows what is there and watches for more. */
export async function keeping(context: ClientContext, count = 2): Promise<ClientProcess> {
  for (let nth = 1; nth <= count; nth += 1) context.world.put(`kept-${nth}`, { nth: String(nth) });
  const client = context.start();
  await client.shows(context.world.copy(), 'what is there');
  await context.watching();
  return client;
}

/** The newest change is shown, so the client is still at work. */
export async function follows({ world }: ClientContext, client: ClientProcess, what: string): Promise<void> {
  world.put('last', { what });
  await client.shows(world.copy(), `what changed ${what}`);
}

/** A client that has not asked within so many milliseconds will not. */
const settled = 3_000;

/** Sees that the client asks nothing for a while, once it has begun: it says something, asks something or ends. */
export async function staysOut(context: ClientContext, client: ClientProcess, what: string): Promise<void> {
  const { pause, until, server, expect } = context;
  const before = server.seen.length;
  const hasBegun = (): boolean => client.hasEnded() || client.output() !== '' || server.seen.length > before;
  await until('the client begins', hasBegun, (begun) => begun).catch(() => undefined);
  await pause(settled);
  client.knowsScenario();
  // That nothing is there may be said of a server that was never asked.
  const shown = client.printed().filter((copy) => Object.keys(copy).length > 0);
  expect(shown, `what is shown ${what}`).toEqual([]);
  const asked = server.seen.slice(before).filter(({ headers }) => headers['authorization'] !== undefined);
  expect(
    asked.map(({ path }) => path),
    `requests with a token ${what}`,
  ).toEqual([]);
  await client.stop();
}
