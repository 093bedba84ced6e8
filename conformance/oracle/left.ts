import { sweep } from '../target/sweep.ts';
import { runLabel } from '../verbs/guest/permit.ts';
import type { Side } from './play/side.ts';

/** Whether somebody fills new namespaces. */
export async function runsControllers({ client }: Side): Promise<boolean> {
  const { status } = await client.send('GET', '/api/v1/namespaces/default/serviceaccounts/default');
  return status === 200;
}

/** How often it is tried to take away what is left: a connection may break. */
const sweeps = 3;

/** Takes away what no play could, and gives what is there still. */
export async function leftOn(side: Side, tries = sweeps): Promise<readonly string[]> {
  try {
    const finalize = !(await runsControllers(side));
    return (await sweep(side.client.send, { run: side.run, finalize })).left;
  } catch (error) {
    if (tries > 1) return leftOn(side, tries - 1);
    return [`what carries ${runLabel}=${side.run}: ${error instanceof Error ? error.message : error}`];
  }
}
