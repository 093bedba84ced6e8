import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';

/** Bytes of the largest body that a server takes, and how many operations a JSON patch may have. */
const [mostBytes, mostOperations] = [3 * 1024 * 1024, 10_000];

/** Blanks behind a body make it long, whatever it says; few gateways take as much. */
const padded = (body: Json, bytes = mostBytes): string => JSON.stringify(body).padEnd(bytes);

/** What is just not too large is taken. */
export async function takesLong({ secrets, expect }: RuleContext): Promise<void> {
  const { name } = (await secrets.create()).metadata;
  const sample = secrets.sample();
  const change = { metadata: { annotations: { 'example.com/long': 'yes' } } };
  const tries = {
    create: () => secrets.post(padded(sample), { dryRun: 'All' }),
    'create in chunks': () => secrets.post(padded(sample), { dryRun: 'All' }, { inChunks: true }),
    'merge patch': () => secrets.patch(name, padded(change)),
    update: () => secrets.put(padded(merged(sample, { metadata: { name } })), '', { name }),
    apply: () =>
      secrets.patch(name, padded(merged({ apiVersion: 'v1', kind: 'Secret', metadata: { name } }, change)), {
        type: 'apply',
        query: { fieldManager: 'applier' },
      }),
    delete: () => secrets.delete(name, { body: padded({ kind: 'DeleteOptions', apiVersion: 'v1' }) }),
  };
  for (const [what, send] of Object.entries(tries)) {
    const answer = await send();
    expect(answer.status, `a ${what} with a body of three megabytes: ${said(answer)}`).toBeLessThan(300);
  }
}

/** What is too large is refused before anybody looks at what it says. */
export async function judgesSize({ secrets, expect }: RuleContext): Promise<void> {
  const { metadata } = await secrets.create();
  const { name } = metadata;
  const big = { metadata: { annotations: { big: 'x'.repeat(mostBytes) } } };
  const sample = secrets.sample(big);
  const tries = {
    create: () => secrets.post(sample),
    // Who sends more than a little beyond it may find the connection closed before the answer is read.
    'create of a byte too many': () => secrets.post(padded(secrets.sample(), mostBytes + 1)),
    'create in chunks': () => secrets.post(padded(secrets.sample(), mostBytes + 1), '', { inChunks: true }),
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
