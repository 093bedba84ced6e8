import { makeSigningRequest } from '../../lab/signing-request.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nodeClient } from '../../verbs/signers.ts';
import { nameOf } from '../../verbs/states.ts';
import { grant } from './permissions.ts';

const right = (resource: string): Json => ({
  apiGroups: ['certificates.k8s.io'],
  resources: [`certificatesigningrequests${resource}`],
  verbs: ['create'],
});

const isApproved = ({ status }: Json): boolean =>
  (status?.conditions ?? []).some(({ type }: Json) => type === 'Approved');

async function askFor(requests: Collection, node: string): Promise<Answer> {
  const request = Buffer.from((await makeSigningRequest(`O=system:nodes, CN=${node}`)).pem).toString('base64');
  const { signerName, usages } = nodeClient;
  return requests.post(requests.sample({ spec: { request, signerName, usages } }));
}

/** A node agent that may renew its certificate gets its own, and no other: not that of another node. */
export async function renewsOwn(context: RuleContext): Promise<void> {
  const { as, unique, signingRequests, waitUntil, longPatience, expect } = context;
  const [mine, other] = ['one', 'other'].map((word) => `system:node:${unique(word)}`) as [string, string];
  await grant(context, mine, [right(''), right('/selfnodeclient')], false);
  const theirs = as({ name: mine, groups: ['system:nodes'] }).signingRequests;
  const ask = (node: string): Promise<Answer> => askFor(theirs, node);
  const own = await waitUntil(
    'a node agent may ask',
    () => ask(mine),
    ({ status }) => status === 201,
  );
  const another = await ask(other);
  expect([201, 403], 'a request for another node, which some refuse').toContain(another.status);
  const last = await ask(mine);
  for (const asked of [own, last])
    await waitUntil('its own is approved', () => signingRequests.read(nameOf(asked.body)), isApproved, {
      limit: longPatience,
    });
  // By the time that a later one has been dealt with, so would this have been.
  if (another.status === 201)
    expect(isApproved(await signingRequests.read(nameOf(another.body))), 'that of another node').toBe(false);
}
