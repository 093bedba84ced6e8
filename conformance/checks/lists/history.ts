import type { RuleContext } from '../../verbs/context.ts';

/**
 * A resource version that the server no longer holds. Makes changes until a list at exactly that version is refused;
 * needs a server that forgets within seconds.
 */
export async function forgottenVersion({ secrets, waitUntil }: RuleContext): Promise<string> {
  const object = await secrets.create();
  const query = { resourceVersion: object.metadata.resourceVersion as string, resourceVersionMatch: 'Exact' };
  let round = 0;
  const look = async (): Promise<number> => {
    round += 1;
    await secrets.patch(object.metadata.name, { data: { round: `r${String(round).padStart(3, '0')}` } });
    return (await secrets.getAll(query)).status;
  };
  await waitUntil('the server forgets an old version', look, (status) => status === 410, {
    limit: 25_000,
    interval: 500,
  });
  return query.resourceVersion;
}
