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
