import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { bindingOf, evicting, evictionOf } from '../pods/pod-requests.ts';
import { held } from './going-objects.ts';

type Tries = Readonly<Record<string, () => Promise<Answer>>>;

/** What is there when its namespace goes, and stays until it is let go. */
export interface HeldWithin {
  /** What would be made of it by its subresources. */
  readonly tries: Tries;
  readonly letGo: () => Promise<void>;
}

/** An account and a pod that somebody holds. */
export async function heldWithin(context: RuleContext, place: string): Promise<HeldWithin> {
  const { kind, capabilities, version } = context;
  const [accounts, pods] = [context.serviceAccounts.in(place), context.pods.in(place)];
  const account = nameOf(await accounts.create(held));
  const token = () =>
    accounts.postTo(account, 'token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
  const all: (readonly [Collection, string])[] = [[accounts, account]];
  const letGo = async () => {
    for (const [objects, name] of all) await objects.patch(name, { metadata: { finalizers: null } });
  };
  if (!capabilities.includes('pods')) return { tries: { token }, letGo };
  const spec = { serviceAccountName: account, schedulerName: 'touchstone.example/nobody' };
  const pod = nameOf(await pods.create({ ...held, spec }));
  all.push([pods, pod]);
  const bindings = kind({ group: '', version: 'v1', resource: 'bindings', kind: 'Binding', namespaced: true });
  const tries = {
    'a token': token,
    'a binding': () => pods.postTo(pod, 'binding', bindingOf(pod)),
    'a binding by way of all': () => bindings.in(place).post(bindingOf(pod)),
    ...(!heldFrom(evicting, version) && { 'an eviction': () => pods.postTo(pod, 'eviction', evictionOf(pod)) }),
  };
  return { tries, letGo };
}

/** Nothing is made in a namespace that is going, in whatever way, not even an Event about it. */
export async function takesNothing(context: RuleContext, name: string, within: Tries): Promise<void> {
  const { secrets, leases, events, waitUntil, allHeard, expect } = context;
  const regarding = { regarding: { namespace: name } };
  const dry = { dryRun: 'All' };
  const applied = secrets.sample();
  const tries: Tries = {
    secrets: () => secrets.in(name).post(secrets.sample(), dry),
    leases: () => leases.in(name).post(leases.sample(), dry),
    events: () => events.in(name).post(events.sample(regarding), dry),
    'a lease, by an update,': () => leases.in(name).put(leases.sample()),
    'a secret, by an apply,': () => secrets.in(name).tryApply(nameOf(applied), applied, 'applier'),
    ...within,
  };
  const isKnown = async () => (await tries.secrets?.())?.status;
  await waitUntil('the namespace is known to go', isKnown, (status) => status === 403);
  await allHeard();
  for (const [what, send] of Object.entries(tries)) {
    const answer = await send();
    expect(answer.status, `${what} in a namespace that is going: ${said(answer)}`).toBe(403);
    expect(answer.body, `${what} in a namespace that is going`).toMatchObject({ kind: 'Status', reason: 'Forbidden' });
  }
}

/** Takes the finalizers of a namespace's spec away, as its controller does, until it is gone. */
export async function finalize({ namespaces, waitUntil }: RuleContext, name: string): Promise<void> {
  const look = async () => {
    const { status, body } = await namespaces.get(name);
    if (status === 200) await namespaces.put({ ...body, spec: { finalizers: [] } }, '', { sub: 'finalize' });
    return status;
  };
  await waitUntil('the namespace, without finalizers, is gone', look, (status) => status === 404);
}
