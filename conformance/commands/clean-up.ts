import { UsageError } from '../../mistyped.ts';
import { asking, inspect } from '../target/inspect.ts';
import { sweep } from '../target/sweep.ts';
import type { Settings } from './flags.ts';
import { print, say } from './terminal.ts';

/** Removes what runs have left on the target. Exit code 1 when something would not go. */
export async function cleanUp({ target }: Settings): Promise<number> {
  if (!target) throw new UsageError('--cleanup needs --server or --kubeconfig');
  return asking(target, async (send) => {
    await inspect(target, send);
    const account = await send('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    const { removed, left } = await sweep(send, { finalize: account.status !== 200 });
    for (const line of removed) print(`removed ${line}`);
    for (const line of left) say(`could not remove ${line}`);
    print(`${removed.length} removed, ${left.length} left`);
    return left.length > 0 ? 1 : 0;
  });
}
