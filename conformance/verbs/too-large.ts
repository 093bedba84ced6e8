import type { RuleContext } from './context.ts';

/** Bytes of the largest body that a server takes, and how many operations a JSON patch may have. */
const [mostBytes, mostOperations] = [3 * 1024 * 1024, 10_000];

/** What is too large is refused before anybody looks at what it says. */
export async function judgesSize({ secrets, expect }: RuleContext): Promise<void> {
  const { metadata } = await secrets.create();
  const { name } = metadata;
  const big = { metadata: { annotations: { big: 'x'.repeat(mostBytes) } } };
  const sample = secrets.sample(big);
  const tries = {
    create: () => secrets.post(sample),
    update: () => secrets.put({ ...sample, metadata: { ...sample.metadata, name } }),
    'merge patch': () => secrets.patch(name, big),
    'strategic merge patch': () => secrets.patch(name, big, { type: 'strategic' }),
    apply: () => secrets.tryApply(name, big, 'applier'),
    'JSON patch': () =>
      secrets.patch(name, [{ op: 'add', path: '/metadata/annotations', value: big }], { type: 'json' }),
    'JSON patch of very many operations': () =>
      secrets.patch(
        name,
        Array.from({ length: mostOperations + 1 }, () => ({ op: 'test', path: '/kind', value: 'Secret' })),
        { type: 'json' },
      ),
    delete: () => secrets.delete(name, { body: { kind: 'DeleteOptions', apiVersion: 'v1', ...big } }),
  };
  for (const [what, send] of Object.entries(tries)) {
    const { status, body } = await send();
    expect(status, what).toBe(413);
    expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'RequestEntityTooLarge' });
  }
  expect((await secrets.get(sample.metadata.name)).status, 'what was to be created').toBe(404);
  expect((await secrets.read(name)).metadata, 'what was to be changed').toEqual(metadata);
}
