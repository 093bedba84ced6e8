import { setTimeout as sleep } from 'node:timers/promises';
import { Breach } from '../../verbs/breach.ts';
import type { RuleContext } from '../../verbs/context.ts';

/** A server, and a way to let minutes pass for it. */
export interface InTime {
  readonly server: RuleContext;
  readonly pass: (minutes: number) => Promise<void>;
}

const clockPath = '/touchstone/clock';

/**
 * A server whose time can be moved, where one can be started; else the target, if minutes of waiting are allowed. @throws
 * Skipped
 */
export async function inTime(context: RuleContext): Promise<InTime> {
  const server = await context.start(['--faults=true']).catch((error: unknown) => {
    if (error instanceof Breach && error.kind === 'preparation') return undefined;
    throw error;
  });
  if (server && (await server.send('GET', clockPath)).status === 200) {
    const pass = async (minutes: number): Promise<void> => {
      const { status } = await server.send('POST', clockPath, { body: { advance: `${minutes}m` } });
      context.expect(status, 'moving the time').toBe(200);
    };
    return { server, pass };
  }
  if (!context.capabilities.includes('clock'))
    context.skip('its time cannot be moved, and minutes of waiting are not allowed');
  return { server: context, pass: (minutes) => sleep(minutes * 60_000) };
}
